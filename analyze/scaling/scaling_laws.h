/* SPDX-License-Identifier: MIT */
/* What the elapsed times follow, in sentences: the fitted growth, Amdahl's law, the serial time
 * that was measured, counters. Context: pure. */
#pragma once

#include "analyze/scaling/scaling_model.h"

#define SCALING_LAWS 4

struct scaling_law {
	const char *name; /* "growth", "Amdahl", "measured", "counters" */
	char *text;       /* released by the caller */
};

/* Returns how many there are: Amdahl's law is for strong scaling. */
size_t scaling_laws_of(const struct scaling *scaling, bool is_utf8,
		       struct scaling_law laws[SCALING_LAWS]);
