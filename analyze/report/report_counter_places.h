/* SPDX-License-Identifier: MIT */
/* Threads, processes and causes at which something was counted, in words: what the text, the JSON
 * and the CSV of the section counters have in common. */
#pragma once

#include "analyze/model/counters/counters.h"
#include "analyze/report/report.h"

#define REPORT_NO_COUNTERS                                                                         \
	"no events were counted: ask for them with ptrace-run -e LIST (ptrace-run --list-events "  \
	"prints those that work here)"

/* By how much the most exceeds the mean, percent: (max / mean - 1) x 100; NAN: nothing counted. */
double report_counter_imbalance(const struct spread *spread);
/* By thread; by process where that is asked for, or threads have no rows. */
const struct counter_places *report_counter_threads(const struct report *report);
/* Its row; NULL: the place is a process, or a merged run has no row for it. */
const struct thread_time *report_counter_thread(const struct report *report,
						const struct counter_place *place);
/* A thread or process in words; released by the caller. */
char *report_counter_unit(const struct report *report, const struct counter_place *place);
/* "mutex", "(no wait)", "[unsampled]". */
const char *report_counter_cause(const struct counter_place *place);
