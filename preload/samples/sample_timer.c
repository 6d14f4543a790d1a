/* SPDX-License-Identifier: MIT */
#include "preload/samples/sample_timer.h"

#include "preload/base/clock.h"
#include "preload/base/kernel_call.h"
#include "preload/process/sample_signal.h"
#include "preload/process/settings.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum {
	YOUNG_PERIOD_NS = 3000000,
	YOUNG_PERIOD_MOST_NS = 5000000, /* with a longer period threads are not young */
};

static struct sample_distance distance;

int sample_timer_make(int32_t tid, int *timer)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = SAMPLE_SIGNAL,
		.sigev_value.sival_ptr = sample_signal_token,
	};

	event.sigev_notify_thread_id = tid;
	return (int)kernel_call(SYS_timer_create, clock_of_thread(tid), &event, timer) ? errno : 0;
}

void sample_timer_set_from(int timer, uint64_t first_ns, uint64_t period_ns)
{
	const struct itimerspec times = {.it_value = clock_span_of(first_ns),
					 .it_interval = clock_span_of(period_ns)};

	kernel_call(SYS_timer_settime, timer, 0, &times, NULL);
}

void sample_timer_set(int timer, uint64_t period_ns)
{
	sample_timer_set_from(timer, period_ns, period_ns);
}

void sample_timer_delete(int timer)
{
	if (timer >= 0)
		kernel_call(SYS_timer_delete, timer);
}

bool sample_timer_has_youth(void)
{
	return settings.sample_period_ns <= YOUNG_PERIOD_MOST_NS &&
	       settings.sample_period_ns > YOUNG_PERIOD_NS;
}

uint64_t sample_timer_period_ns(bool is_young)
{
	return is_young ? YOUNG_PERIOD_NS : settings.sample_period_ns;
}

void sample_timer_start(void)
{
	uint64_t period_ns = sample_timer_period_ns(sample_timer_has_youth());
	uint64_t known_ns = clock_tick_ns(), tick_ns = known_ns ? known_ns : period_ns;

	distance.ticks = (uint32_t)((period_ns + tick_ns - 1) / tick_ns);
	distance.ns = distance.ticks * tick_ns;
}

struct sample_distance sample_timer_distance(void)
{
	return distance;
}
