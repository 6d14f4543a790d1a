/* SPDX-License-Identifier: MIT */
/* The laws that the elapsed times follow, in sentences: the fitted growth, Amdahl's law, the
 * measured serial time, counters. Context: pure. */
#pragma once

#include "analyze/scaling/scaling_model.h"

#define SCALING_LAWS 4

struct scaling_law {
	const char *name; /* "growth", "Amdahl", "measured", "counters" */
	char *text;       /* released by the caller */
};

/* Returns their number: Amdahl's law applies to strong scaling only. */
size_t scaling_laws_of(const struct scaling *scaling, bool is_utf8,
		       struct scaling_law laws[SCALING_LAWS]);
