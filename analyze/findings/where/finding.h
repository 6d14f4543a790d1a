/* SPDX-License-Identifier: MIT */
/* What keeps a run from using its processors, the worst first, and what to do about it: the rules
 * of finding_rules.def, each refined from why to where.
 *
 * elapsed_percent, elapsed_ns: what is at stake, an upper bound of how much shorter the run could
 * be if the cause were gone (finding_stake.h). Findings are ordered by it, and thresholds apply to
 * it. Rules see causes from different sides, so stakes do not add up.
 *
 * severity_percent is the same, except for oversubscription, which may cost nothing at all: there
 * it is the share of the time in which threads wanted to run and could not, and the threshold
 * applies to that.
 *
 * (Paradyn searches for "why" and "where" while the program runs: J. Hollingsworth and B. Miller,
 * "Dynamic control of performance monitoring on large scale parallel systems", 1993; here the
 * figures of the whole run are available.) Context: pure; rules read the finished rest of the
 * model. */
#pragma once

#include "analyze/model/common/grade.h"

#include <stdbool.h>
#include <stddef.h>

/* In the order in which they are shown; the first two are shown together. */
enum finding_kind {
	FINDING_PROBLEM,
	FINDING_ENVIRONMENT, /* not caused by the program */
	FINDING_SYMPTOM,     /* what problems before it look like; not a cause itself */
	FINDING_CAVEAT,      /* nothing is lost, but figures of the report are weak: severity 0 */
};

#define FINDING_LEVEL_LIST(LEVEL)                                                                  \
	LEVEL(PROCESS, "process", "processes")                                                     \
	LEVEL(RANK, "rank", "ranks")                                                               \
	LEVEL(THREAD, "thread", "threads")                                                         \
	LEVEL(REGION, "region", "regions")                                                         \
	LEVEL(ROUTINE, "routine", "routines")                                                      \
	LEVEL(CALL, "call", "calls")                                                               \
	LEVEL(OBJECT, "object", "objects")

enum finding_level {
#define LEVEL_ENUM(name, text, plural) FINDING_##name,
	FINDING_LEVEL_LIST(LEVEL_ENUM)
#undef LEVEL_ENUM
};

/* One step of the refinement: which single one has the most of the time that is lost. */
struct finding_step {
	enum finding_level level;
	char *name; /* owned */
	double share_percent;
	size_t among;   /* how many have a part of it */
	bool has_place; /* it is the code `routine` at `line` */
	size_t routine;
	unsigned line;  /* 0: unknown */
	bool is_single; /* it has most of it; otherwise the loss is spread and refinement stops here
			 */
};

#define FINDING_STEPS_MAX 6

struct finding {
	const char *id;
	const char *title;
	enum finding_kind kind;
	double severity_percent;
	double elapsed_percent, elapsed_ns; /* at stake; NAN: unknown */
	enum grade grade;                   /* of severity_percent */
	double threshold_percent;
	const char *reason; /* for the threshold */
	char *evidence;     /* one sentence with the figures; owned */
	const char *advice;
	struct finding_step steps[FINDING_STEPS_MAX];
	size_t step_count;
	size_t *objects; /* whose waits no general rule reports again; owned */
	size_t object_count, object_capacity;
};
