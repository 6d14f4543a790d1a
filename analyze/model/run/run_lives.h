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
