/* SPDX-License-Identifier: MIT */
/* Lives (lives.h) of the threads and processes of a run. Context: pure. */
#pragma once

#include "analyze/model/threads/lives.h"

struct process;
struct run;
struct thread_time;

/* Of a thread that has a row of its own; processes of several hosts are aligned by the time of
 * day. */
struct life lives_of_thread(const struct run *run, const struct process *process,
			    const struct thread_time *time);
/* Of all threads of a process, from its beginning to its end. */
struct life lives_of_process(const struct run *run, const struct process *process,
			     uint64_t threads);
/* When a run began: the first of its processes, without the time that this one waited for the
 * profiler's start. On the clock of lives; the elapsed time of the run is counted from here. */
double lives_begin_of_run_ns(const struct run *run);
/* How long after `run_begin_ns` a life began, which is within the run. */
double lives_begin_after_ns(const struct life *life, double run_begin_ns, const struct run *run);
