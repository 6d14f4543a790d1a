/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_lives.h"

#include "analyze/model/process/process_clock.h"
#include "analyze/model/run/run.h"

#include <math.h>

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

double lives_begin_of_run_ns(const struct run *run)
{
	double begin = INFINITY;

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];
		double wait = (double)process->file->process.start_wait_ns;

		begin = fmin(begin, lives_of_process(run, process, 1).begin_ns + wait);
	}
	return run->process_count ? begin : 0;
}

/* Clocks of hosts may differ by more than a life, and the first thread is older than what it waited
 * for at its start. */
double lives_begin_after_ns(const struct life *life, double run_begin_ns, const struct run *run)
{
	return fmin(fmax(0, life->begin_ns - run_begin_ns), (double)run->elapsed_ns);
}
