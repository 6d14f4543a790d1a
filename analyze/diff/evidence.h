/* SPDX-License-Identifier: MIT */
/* What tells two programs apart at any noise: shares of one run's CPU time, which other programs on
 * the machine hardly change, and counts, which they do not change at all.
 *
 *   new, gone  a routine that is in the samples of all runs of one side and of none of the other,
 *              with what it calls, for at least the threshold of the CPU time there, and at least
 *              nine samples; a larger share than what no sample stands for on the other side.
 *              What another new one calls is not named. It is replaced if at least half of the
 *              time of all new ones is that of routines that are gone, that its callers took less,
 *              or that what it calls took elsewhere before
 *   share      of three runs a side or more: the ratio of a routine's CPU time to that of the rest
 *              has changed by 1.5 times what the test of diff_welch.h asks for, and the rank test
 *              rejects, or by once that, and the rank test rejects at 0.02 %; and by three times
 *              the sampling errors. What that adds to the CPU time, if the rest took as long as
 *              before, is at least the threshold
 *   count      calls, bytes, executions, switches, events: changed by the threshold, by at least
 *              10, and by twice the noise. Where all runs of a side agree, there is none
 *
 * Context: pure. */
#pragma once

#include "analyze/diff/change.h"

/* Sets `evidence` and what belongs to it, of all changes, once they are judged and sorted. */
void evidence_find(struct changes *changes, const struct side sides[2]);
/* The steps of it, in this order. */
void evidence_find_routines(struct changes *changes, const struct side sides[2]);
void evidence_find_shares(struct changes *changes, const struct side sides[2]);
void evidence_find_counts(struct changes *changes);

/* The rows that are evidence: what decides first, then by kind, the largest effect first. Released
 * by the caller. */
const struct change **evidence_rows(const struct changes *changes, size_t *count);
/* "new: verify (job.c:13), 11 % of the CPU time"; released by the caller. */
char *evidence_text(const struct change *change);
/* "new", "gone", "share", "count". */
const char *evidence_name(enum evidence evidence);
