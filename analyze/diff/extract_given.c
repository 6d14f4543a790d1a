/* SPDX-License-Identifier: MIT */
/* What extractors are given of a run beside its model: waits of idle threads, and what other
 * programs took. */
#include "analyze/diff/extract.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/run/run_others.h"

#include <math.h>
#include <stdbool.h>

/* ---- idle threads: a watchdog, a pool without work, a log writer. They wait for as long as the
 * run lasts, however long that is: their waits are no cause, and they do not count among the
 * threads over which waiting is divided */

static void add_thread(struct idle *idle, const struct thread_time *time, bool is_idle)
{
	if (is_idle)
		idle->lifetime_ns += (double)time->lifetime_ns -
				     (double)time->by_cause_ns[CAUSE_JOIN] -
				     (double)time->by_cause_ns[CAUSE_PROCESS];
	for (size_t cause = 0; cause < CAUSE_COUNT; cause++) {
		double idle_ns = (double)(is_idle ? idle_wait_ns(time, cause)
						  : idle_requests_ns(time, cause));

		idle->by_cause_ns[cause] += idle_ns;
		idle->others_ns[cause] += (double)time->by_cause_ns[cause] - idle_ns;
	}
}

static void add_process(struct idle *idle, const struct process *process)
{
	double busiest = idle_busiest_ns(process);
	bool is_judged = process->rank == MPI_NO_RANK && process->thread_count;

	if (!is_judged)
		add_thread(idle, &process->sum, false);
	for (size_t i = 0; is_judged && i < process->thread_count; i++)
		add_thread(idle, &process->threads[i], idle_thread(&process->threads[i], busiest));
}

struct idle extract_idle(const struct run *run)
{
	struct idle idle = {0};

	for (size_t i = 0; i < run->process_count; i++)
		add_process(&idle, &run->processes[i]);
	return idle;
}

double extract_idle_part(const struct extract *extract, enum cause cause, double wait_ns)
{
	const struct idle *idle = &extract->idle;

	if (!(idle->by_cause_ns[cause] > 0) || !idle_waits_for(cause))
		return 0;
	return fmax(0, wait_ns - idle->others_ns[cause]);
}

/* ---- what other programs took from a run */

/* If it was not counted: in a program with more threads than processors, threads are ready because
 * of each other, as many as are beyond the processors, for as long as those that run had all
 * processors. The rest is due to other programs. */
static double inferred_ns(const struct run *run, double threads)
{
	double processors = (double)run->processors, beyond = fmax(0, threads - processors);
	double own = processors > 0 ? (double)run->cpu_ns / processors * beyond : 0;

	return processors > 0 ? fmax(0, (double)run->ready_ns - own) : 0;
}

/* As the kernel counted it. What is below the resolution of its ticks may have been taken as well,
 * as far as threads were ready for it: in a run of a few ticks that is everything. */
static double taken_ns(const struct run *run, double threads)
{
	struct run_others others = run_others_of(run);
	double inferred = inferred_ns(run, threads);

	if (!isfinite(others.others_ns))
		return inferred;
	return others.others_ns > others.error_ns
		       ? fmin((double)run->ready_ns, others.others_ns)
		       : fmin(inferred, others.others_ns + others.error_ns);
}

static double longest_ready_ns(const struct run *run)
{
	double longest = 0;

	for (size_t i = 0; i < run->process_count; i++)
		for (size_t j = 0; j < run->processes[i].thread_count; j++)
			longest = fmax(longest, (double)run->processes[i].threads[j].ready_ns);
	return longest;
}

/* The elapsed time that a thread lost on average, or that the thread which lost most did: others
 * may have waited for it. Threads beyond the processors wait for each other as well: all of them
 * lost what was taken from one processor. */
struct load extract_load(const struct run *run, double threads)
{
	double taken = taken_ns(run, threads), ready = (double)run->ready_ns;
	double elapsed = (double)run->elapsed_ns, cpu = (double)run->cpu_ns;

	if (!(taken > 0) || !(threads > 0) || !(elapsed > 0))
		return (struct load){0};
	double longest = longest_ready_ns(run) * taken / ready;
	double at_once = fmin(threads, fmax(1, (double)run->processors));

	return (struct load){
		.elapsed_ns = fmin(elapsed, fmax(taken / at_once, longest)),
		.share = taken / (taken + cpu),
		.processors = fmin(taken / elapsed, (double)run->processors),
	};
}
