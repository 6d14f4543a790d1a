/* SPDX-License-Identifier: MIT */
#include "own_cost.h"

#include "clock.h"
#include "process_row.h"
#include "real.h"
#include "sample_signal.h"
#include "settings.h"
#include "tally.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	CLOCK_READS = 50,
	TALLIES = 500,
	SIGNALS = 3,
	CALL_PS = 800, /* a call through a pointer instead of through the PLT, and the try before a
			  lock: see docs/performance.md */
};

static struct {
	uint64_t clock_ps, tally_ps, signal_ps;
} cost;

static uint64_t measure_clock(void)
{
	uint64_t start_ns = clock_now_ns(), last_ns = start_ns;

	for (int i = 0; i < CLOCK_READS; i++)
		last_ns = clock_now_ns();
	return (last_ns - start_ns) * 1000 / CLOCK_READS;
}

static uint64_t measure_tally(void)
{
	struct row_tallies rows[1] = {{.tag = 1}};
	static struct tally tally; /* too large for a stack that is not ours */
	const void *object = NULL;

	tally.distance = (char *)rows - (char *)tally_no_rows;
	uint64_t start_ns = clock_now_ns();
	rows[0].tag = tally_tag(object, OP_MUTEX_LOCK);
	for (int i = 0; i < TALLIES; i++) {
		__asm__ volatile("" : "+r"(object));
		tally_count(&tally, object, OP_MUTEX_LOCK, 0);
	}
	return (clock_now_ns() - start_ns) * 1000 / TALLIES + CALL_PS;
}

/* The kernel's part of a sample: a signal to oneself, whose handler finds nothing to do. */
static uint64_t measure_signal(void)
{
	if (!settings.sample_period_ns)
		return 0;
	int pid = getpid(), tid = (int)syscall(SYS_gettid);
	uint64_t start_ns = clock_now_ns();
	siginfo_t info = {.si_signo = SAMPLE_SIGNAL, .si_code = SI_TIMER};

	/* a timer's signal has its value where si_pid lies */
	info.si_value.sival_ptr = sample_signal_token;
	for (int i = 0; i < SIGNALS; i++)
		if (syscall(SYS_rt_tgsigqueueinfo, pid, tid, SAMPLE_SIGNAL, &info))
			return 0;
	return (clock_now_ns() - start_ns) * 1000 / SIGNALS;
}

void own_cost_measure(void)
{
	cost.clock_ps = measure_clock();
	cost.tally_ps = measure_tally();
	cost.signal_ps = measure_signal();
}

void own_cost_write(void)
{
	process_row->clock_cost_ps = cost.clock_ps;
	process_row->tally_cost_ps = cost.tally_ps;
	process_row->signal_cost_ps = cost.signal_ps;
}
