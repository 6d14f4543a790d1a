/* SPDX-License-Identifier: MIT */
/* The findings of a run. Context: pure; reads the finished model. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

struct findings {
	struct finding *rows; /* the worst first */
	size_t count;
};

/* The findings above their thresholds; the caller releases with findings_clear. */
struct findings findings_of(const struct run *run);
void findings_clear(struct findings *findings);
/* The first that is no caveat; NULL: there is none. */
const struct finding *findings_first(const struct findings *findings);
