/* SPDX-License-Identifier: MIT */
#include "preload/thread/overhead.h"

#include "preload/base/clock.h"
#include "preload/base/kernel_call.h"
#include "preload/base/quiet.h"
#include "preload/base/system.h"
#include "preload/base/tsc_clock.h"
#include "preload/process/process_row.h"
#include "preload/process/sample_signal.h"
#include "preload/process/settings.h"
#include "preload/thread/call_price.h"

#include <signal.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

/* At most what no machine needs. (A measurement that was interrupted gave 2.7 ms for a signal, and
 * 67 % of a run as the profiler's.) */
enum {
	CLOCK_READS = 10,
	CLOCK_PS_MOST = 2000000, /* a system call, if the kernel has no vDSO clock */
	SIGNAL_PS_MOST = 20000000,
};

static struct {
	uint64_t clock_ps, signal_ps;
	struct call_prices of_calls;
} cost;

static void read_clocks(void)
{
	for (int i = 0; i < CLOCK_READS; i++)
		clock_now_ns();
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

void overhead_measure(int32_t tid)
{
	cost.clock_ps = call_price_of(read_clocks, CLOCK_READS, CLOCK_PS_MOST);
	call_price_measure(&cost.of_calls, tid);
}

static int is_signal_measured; /* atomic */

void overhead_measure_signal(void)
{
	if (__atomic_load_n(&is_signal_measured, __ATOMIC_RELAXED) || !settings.sample_period_ns ||
	    sample_signal_is_blocked() ||
	    __atomic_exchange_n(&is_signal_measured, 1, __ATOMIC_RELAXED))
		return;
	uint64_t cpu_ns = clock_thread_cpu_ns();
	quiet_begin(); /* they are no samples */
	cost.signal_ps = call_price_of(send_signal, 1, SIGNAL_PS_MOST);
	quiet_end();
	if (thread_self)
		overhead_add_cpu(thread_self, cpu_ns);
	if (process_row)
		process_row->signal_cost_ps = cost.signal_ps;
}

uint64_t overhead_signal_ns(void)
{
	return cost.signal_ps / 1000;
}

void overhead_write(void)
{
	process_row->clock_cost_ps = cost.clock_ps;
	process_row->quick_clock =
		tsc_clock_has_counter() ? QUICK_CLOCK_COUNTER : QUICK_CLOCK_KERNEL;
	process_row->signal_cost_ps = cost.signal_ps;
	process_row->tally_cost_ps = cost.of_calls.call_ps;
	process_row->lock_cost_ps = cost.of_calls.lock_ps;
	process_row->pair_cost_ps = cost.of_calls.pair_ps[(bool)__libc_single_threaded];
}

void overhead_begin_parallel(void)
{
	if (process_row)
		process_row->pair_cost_ps = cost.of_calls.pair_ps[false];
}

uint32_t overhead_native_share(void)
{
	bool is_alone = __libc_single_threaded;
	uint64_t native_ps = cost.of_calls.native_pair_ps[is_alone];
	uint64_t all_ps = native_ps + cost.of_calls.pair_ps[is_alone];

	return all_ps ? (uint32_t)(native_ps * OVERHEAD_WHOLE / all_ps) : 0;
}
