/* SPDX-License-Identifier: MIT */
#include "preload/samples/sample_pause.h"

#include "preload/base/clock.h"
#include "preload/base/kernel_call.h"
#include "preload/samples/sample_timer.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A timer of a CPU clock is delivered at a tick. One that has expired and waits for the tick is
 * told with what is left of the next period: stopped then, it would lose a sample, and nearly all
 * of them in a program whose handlers come more often than ticks. */
static bool is_due(const struct thread *thread, uint64_t left_ns, uint64_t period_ns)
{
	return clock_thread_cpu_ns() + left_ns > thread->sampled_cpu_ns + period_ns;
}

/* What was left is kept before is_paused is set: a handler that interrupts this in between stops
 * the timer, too, and finds that nothing is left. */
bool sample_pause_begin(struct thread *thread)
{
	static const struct itimerspec off;
	struct itimerspec left = {0};
	int saved = errno;

	if (!thread || !thread->row || thread->timer < 0 || thread->is_paused)
		return false;
	kernel_call(SYS_timer_settime, thread->timer, 0, &off, &left);
	uint64_t left_ns = clock_ns_of(&left.it_value), period_ns = clock_ns_of(&left.it_interval);
	if (period_ns) {
		thread->paused_left_ns = is_due(thread, left_ns, period_ns) ? 1 : left_ns;
		thread->paused_period_ns = period_ns;
	}
	thread->is_paused = true;
	errno = saved;
	return true;
}

void sample_pause_end(struct thread *thread, uint64_t least_ns)
{
	uint64_t left_ns = thread->paused_left_ns;
	int saved = errno;

	if (!thread->is_paused)
		return;
	thread->is_paused = false;
	if (thread->timer >= 0)
		sample_timer_set_from(thread->timer, left_ns > least_ns ? left_ns : least_ns,
				      thread->paused_period_ns);
	errno = saved;
}

bool sample_pause_is_short(const struct thread *thread)
{
	return thread->is_paused && thread->paused_left_ns < SAMPLE_PAUSE_LEAST_NS;
}

void sample_pause_jump(struct thread *thread, uint64_t sp)
{
	bool stays = sp - thread->alternate.low < thread->alternate.high - thread->alternate.low;

	if (!stays)
		sample_pause_end(thread, SAMPLE_PAUSE_LEAST_NS);
}
