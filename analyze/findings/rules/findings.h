/* SPDX-License-Identifier: MIT */
/* The findings of a run. Context: pure; reads the finished model. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

struct findings {
	struct finding *rows; /* in the order in which they are shown */
	size_t count;
};

/* The findings above their thresholds; released by the caller with findings_clear. */
struct findings findings_of(const struct run *run);
void findings_clear(struct findings *findings);
/* Drops those whose id it does not take. */
void findings_keep(struct findings *findings, bool (*is_kept)(const char *id));
/* The first of the problems; of the environment, or a symptom, if there is none; NULL: caveats at
 * most. */
const struct finding *findings_first(const struct findings *findings);

const char *finding_kind_text(enum finding_kind kind);
