/* SPDX-License-Identifier: MIT */
/* The rules behind findings: a new one is a row in finding_rules.c. Used by finding.c alone. */
#pragma once

#include "analyze/model/finding.h"

#include <stdbool.h>

struct finding_rule {
	const char *id;
	const char *title;
	double threshold_percent; /* below it, nothing is said */
	/* Returns the severity, NAN if it cannot be told. Sets evidence if it is positive; may
	 * change title and advice. */
	double (*judge)(const struct run *run, struct finding *finding);
	const char *advice;
};

/* Did other programs use processors on which threads of this one could have run? */
bool is_shared_with_others(const struct run *run);

struct sync_row;

/* "1.2 s of waiting for queue_lock, mostly in f (x.c:1); held by g (x.c:2) (90 %)", released by the
 * caller. */
char *finding_wait_evidence(const struct run *run, const struct sync_row *row, const char *verb,
			    const char *blame_verb);

extern const struct finding_rule finding_rules[];
extern const size_t finding_rule_count;
