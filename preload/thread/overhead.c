/* SPDX-License-Identifier: MIT */
#include "preload/thread/overhead.h"

#include "preload/base/clock.h"
#include "preload/base/kernel_call.h"
#include "preload/base/system.h"
#include "preload/locks/call_counts.h"
#include "preload/process/process_row.h"
#include "preload/process/real.h"
#include "preload/process/sample_signal.h"
#include "preload/process/settings.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A measurement during which another program had the processor is too long: so the shortest of
 * several counts, and at most what no machine needs. (One that was interrupted gave 2.7 ms for a
 * signal, and 67 % of a run as the profiler's.) */
enum {
	TRIES = 5,
	CLOCK_READS = 10,
	TALLIES = 100,
	CALL_PS = 800,           /* call by a pointer, trylock: see docs/performance.md */
	CLOCK_PS_MOST = 2000000, /* a system call, if the kernel has no vDSO clock */
	CALL_COUNTS_PS_MOST = 100000,
	SIGNAL_PS_MOST = 20000000,
};

static struct {
	uint64_t clock_ps, tally_ps, signal_ps;
} cost;

static void read_clocks(void)
{
	for (int i = 0; i < CLOCK_READS; i++)
		clock_now_ns();
}

static void count_tallies(void)
{
	struct row_tallies rows[1] = {{.tag = 1}};
	static struct call_counts counts; /* too large for the program's stack */
	const void *object = NULL;

	counts.table = call_counts_table(rows, 1);
	rows[0].tag = call_counts_tag(object, OP_MUTEX_LOCK);
	for (int i = 0; i < TALLIES; i++) {
		__asm__ volatile("" : "+r"(object));
		call_counts_add(&counts, object, OP_MUTEX_LOCK, 0);
	}
}

/* The kernel's part of a sample: a signal to the own thread, whose handler finds nothing to do. */
static void send_signal(void)
{
	siginfo_t info = {.si_signo = SAMPLE_SIGNAL, .si_code = SI_TIMER};

	/* of a timer's signal the value lies where si_pid is */
	info.si_value.sival_ptr = sample_signal_token;
	kernel_call(SYS_rt_tgsigqueueinfo, system_pid(), (int)kernel_call(SYS_gettid), SAMPLE_SIGNAL,
		    &info);
}

/* Time of one of the `count` events that `act` makes, in picoseconds. */
static uint64_t measure(void (*act)(void), unsigned count, uint64_t most_ps)
{
	uint64_t least_ps = most_ps;

	for (int i = 0; i < TRIES; i++) {
		uint64_t start_ns = clock_now_ns();
		act();
		uint64_t ps = (clock_now_ns() - start_ns) * 1000 / count;
		least_ps = ps < least_ps ? ps : least_ps;
	}
	return least_ps;
}

void overhead_measure(void)
{
	cost.clock_ps = measure(read_clocks, CLOCK_READS, CLOCK_PS_MOST);
	cost.tally_ps = measure(count_tallies, TALLIES, CALL_COUNTS_PS_MOST) + CALL_PS;
}

static int is_signal_measured; /* atomic */

void overhead_measure_signal(void)
{
	if (__atomic_load_n(&is_signal_measured, __ATOMIC_RELAXED) || !settings.sample_period_ns ||
	    sample_signal_is_blocked() ||
	    __atomic_exchange_n(&is_signal_measured, 1, __ATOMIC_RELAXED))
		return;
	cost.signal_ps = measure(send_signal, 1, SIGNAL_PS_MOST);
	if (process_row)
		process_row->signal_cost_ps = cost.signal_ps;
}

void overhead_write(void)
{
	process_row->clock_cost_ps = cost.clock_ps;
	process_row->tally_cost_ps = cost.tally_ps;
	process_row->signal_cost_ps = cost.signal_ps;
}
