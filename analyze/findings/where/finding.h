/* SPDX-License-Identifier: MIT */
/* What keeps a run from using its processors, the worst first, with what to do about it: the rules
 * of finding_rules.def, each refined from why to where.
 *
 * elapsed_percent, elapsed_ns: what is at stake, by how much the run could be shorter at most if
 * the cause were gone (finding_stake.h). It orders the findings, and thresholds are of it. Rules
 * see causes from different sides, so stakes do not add up.
 *
 * severity_percent is the same, but for oversubscription, which may cost nothing at all: there it
 * is the share of the time in which threads wanted to run and could not, and the threshold is of
 * that.
 *
 * (Paradyn looks for "why" and "where"
 * while the program runs: J. Hollingsworth and B. Miller, "Dynamic control of performance
 * monitoring on large scale parallel systems", 1993; here the figures of the whole run are there
 * already.) Context: pure; rules read the finished rest of the model. */
#pragma once

#include "analyze/model/common/grade.h"

#include <stdbool.h>
#include <stddef.h>

/* In the order in which they are shown; the first two stand together. */
enum finding_kind {
	FINDING_PROBLEM,
	FINDING_ENVIRONMENT, /* not of the program's making */
	FINDING_SYMPTOM,     /* what problems before it look like; no cause of its own */
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

/* One step of the refinement: who has the most of the time that is lost. */
struct finding_step {
	enum finding_level level;
	char *name; /* owned */
	double share_percent;
	size_t among;   /* how many there are that have part in it */
	bool is_single; /* it has most of it; else the loss is spread and refinement stops here */
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
};

const char *finding_kind_text(enum finding_kind kind);
