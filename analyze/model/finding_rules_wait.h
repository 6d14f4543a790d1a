/* SPDX-License-Identifier: MIT */
/* Rules on threads that wait: for locks, barriers, conditions, time, input and output; blocked or
 * spinning. NAN: does not apply. Context: pure. */
#pragma once

#include "analyze/model/finding.h"

double judge_locks(const struct run *run, struct finding *finding);
double judge_spin(const struct run *run, struct finding *finding);
double judge_barriers(const struct run *run, struct finding *finding);
double judge_conditions(const struct run *run, struct finding *finding);
double judge_sleep(const struct run *run, struct finding *finding);
double judge_blocked(const struct run *run, struct finding *finding);

struct sync_row;

/* "1.2 s of waiting for queue_lock, mostly in f (x.c:1); held by g (x.c:2) (90 %); the most between
 * two: f (x.c:1) for g (x.c:2), 80 %", released by the caller. */
char *finding_wait_evidence(const struct run *run, const struct sync_row *row, const char *verb,
			    const char *blame_verb);
