/* SPDX-License-Identifier: MIT */
/* Waits of idle threads: a watchdog, a pool without work, a log writer. They wait for as long as
 * the run lasts, however long that is: their waits are no cause, and they do not count among the
 * threads over which waiting is divided. */
#include "analyze/diff/extract.h"
#include "analyze/model/process/idle_threads.h"

#include <math.h>
#include <stdbool.h>

static void add_thread(struct idle *idle, const struct thread_time *time, bool is_idle)
{
	if (is_idle)
		idle->lifetime_ns += (double)time->lifetime_ns -
				     (double)time->by_cause_ns[CAUSE_JOIN] -
				     (double)time->by_cause_ns[CAUSE_PROCESS];
	for (size_t cause = 0; cause < CAUSE_COUNT; cause++) {
		double idle_ns = is_idle ? (double)idle_wait_ns(time, cause) : 0;

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
