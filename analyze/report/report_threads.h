/* SPDX-License-Identifier: MIT */
/* What the page of threads takes from the section. Context: pure. */
#pragma once

#include "analyze/model/run/thread_lines.h"
#include "analyze/report/report.h"

/* What a row of threads is made of (threads_fields.def). */
struct thread_row {
	const struct process *process;
	const struct profile_thread *thread; /* NULL: several, or all threads of the process */
	const struct thread_time *time;      /* in lines, without the idle time of its causes */
	uint64_t idle_ns;
	double begin_ns; /* as in struct thread_line */
	uint64_t library_threads; /* thread_lines.h */
};

struct thread_row report_thread_row(const struct thread_line *line);

/* "worker", "4711 worker (8 threads)", "rank 3: worker"; with a tid, where names repeat, "4712
 * worker", "4711/4712 worker", "rank 3/4712: worker": in front, because the end of a long name is
 * cut. Released by the caller. */
char *report_thread_name(const struct report *report, const struct thread_row *row, bool with_tid);
