/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_lives.h"

#include "analyze/model/process/process_clock.h"
#include "analyze/model/run/run.h"

static double offset_ns(const struct run *run, const struct process *process)
{
	return run->has_clocks ? (double)process_clock_offset_ns(process) : 0;
}

struct life lives_of_thread(const struct run *run, const struct process *process,
			    const struct thread_time *time)
{
	const struct profile_thread *thread = time->thread;
	double offset = offset_ns(run, process);
	uint64_t end = thread->flags & THREAD_ALIVE ? process->life.end_ns : thread->updated_ns;

	return (struct life){.begin_ns = offset + (double)thread->birth_ns,
			     .end_ns = offset + (double)end,
			     .joining_ns = thread_joining_ns(time),
			     .ready_ns = (double)time->ready_ns,
			     .threads = 1};
}

struct life lives_of_process(const struct run *run, const struct process *process, uint64_t threads)
{
	double begin = offset_ns(run, process) + (double)process->file->header.start_ns;

	return (struct life){.begin_ns = begin,
			     .end_ns = begin + (double)process->elapsed_ns,
			     .joining_ns = threads == 1 ? thread_joining_ns(&process->sum) : 0,
			     .ready_ns = threads == 1 ? (double)process->sum.ready_ns : 0,
			     .threads = threads};
}
