/* SPDX-License-Identifier: MIT */
#include "preload/life/own_times.h"

#include "preload/base/clock.h"
#include "preload/base/interrupted.h"
#include "preload/concurrency/parallelism.h"
#include "preload/life/lifecycle.h"
#include "preload/thread/thread_life.h"

#include <errno.h>
#include <string.h>

static uint64_t less(uint64_t from, uint64_t what)
{
	return from > what ? from - what : 0;
}

static void read_thread(struct thread *thread, struct own_times *times)
{
	uint64_t cpu_ns = clock_thread_cpu_ns(), now_ns = clock_now_ns();
	const struct row_threads *row = thread->row;

	thread_update(thread, now_ns, cpu_ns, true);
	concurrency_update_single(now_ns, less(cpu_ns, thread->birth_cpu_ns));
	concurrency_drain(now_ns, true);
	cpu_ns = less(cpu_ns, thread->birth_cpu_ns);
	times->elapsed_ns = less(now_ns, thread->birth_ns);
	times->system_ns = less(row->system_ns, thread->past_system_ns);
	times->user_ns = less(cpu_ns, times->system_ns);
	times->ready_ns = less(row->ready_ns, thread->past_ready_ns);
	times->blocked_ns = less(times->elapsed_ns, cpu_ns + times->ready_ns);
	memcpy(times->wait_ns, thread->waited_ns, sizeof thread->waited_ns);
	times->wait_ns[CAUSE_MPI] = thread->called_ns[CAUSE_MPI];
	times->wait_ns[CAUSE_OPENMP] = thread->called_ns[CAUSE_OPENMP];
}

_Static_assert(sizeof((struct thread *)0)->waited_ns <= sizeof((struct own_times *)0)->wait_ns,
	       "causes fit");

int own_times_read(struct own_times *times)
{
	struct thread *thread = thread_or_adopt();
	struct own_times all = {0};
	int saved = errno;

	if (!times || !thread || !thread->row || thread->is_busy)
		return -1;
	busy_begin(&thread->is_busy);
	read_thread(thread, &all);
	all.levels = parallelism_read(all.level_ns, OWN_TIMES_LEVELS);
	busy_end(&thread->is_busy);
	all.bytes = times->bytes < sizeof all ? times->bytes : sizeof all;
	memcpy(times, &all, all.bytes);
	errno = saved;
	return 0;
}
