/* SPDX-License-Identifier: MIT */
/* The rules behind findings. A new rule is a row in finding_rules.def and a function judge_NAME in
 * the finding_rules_*.c that it fits. Used by findings.c and the rules only. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

#include <stdbool.h>

struct run;

struct finding_rule {
	const char *id;
	const char *title;
	enum finding_kind kind;
	double threshold_percent; /* below it there is no finding */
	const char *reason;       /* for the threshold */
	/* Returns the severity, NAN if it cannot be told: what is at stake of the elapsed time
	 * (finding_stake.h), or another measure, and then sets elapsed_percent. If the severity is
	 * positive, sets evidence and the steps to where the time is lost; sets grade if the
	 * severity is not exact; may change title and advice. */
	double (*judge)(const struct run *run, struct finding *finding);
	const char *advice;
};

extern const struct finding_rule finding_rules[];
extern const size_t finding_rule_count;
