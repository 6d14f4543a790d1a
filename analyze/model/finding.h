/* SPDX-License-Identifier: MIT */
/* What keeps a run from using its processors, the worst first, with what to do about it: a table of
 * rules.
 *
 * severity_percent is the share of the processors' time (processors x elapsed) that could be won at
 * most if the cause were gone: the time lost to it, never more than is idle or wasted at all. Rules
 * see causes from different sides, so severities do not add up. For oversubscription, where no
 * processor is idle, it is the share of the time in which threads wanted to run and could not.
 * Context: pure; rules read the finished rest of the model. */
#pragma once

#include <stddef.h>

struct run;

struct finding {
	const char *id;
	const char *title;
	double severity_percent;
	char *evidence; /* one sentence with the figures; owned */
	const char *advice;
};

/* The findings above their thresholds; the caller releases with findings_free. */
struct finding *findings_of(const struct run *run, size_t *count);
void findings_free(struct finding *findings, size_t count);
