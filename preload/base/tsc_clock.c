/* SPDX-License-Identifier: MIT */
#include "preload/base/tsc_clock.h"

#include <errno.h>

enum {
	CALIBRATION_NS = 2000000,
	TRIES = 4,
	JUDGED_READINGS = 3,
	/* What a reading may differ from what the counter foretold: the readings' own error, and
	 * what the kernel may correct its clock by, with that of the rate (a thousandth). */
	FORETOLD_NS = 20000,
	FORETOLD_PART = 1000,
	MOST_JUMPS = 3, /* a machine that slept, or was moved, makes one */
};

uint64_t tsc_clock_rate, tsc_clock_ticks_us;

static uint64_t first_ticks, first_ns;
static enum tsc_clock_choice choice; /* TSC_CLOCK_JUDGED until it is decided */

void tsc_clock_choose(enum tsc_clock_choice chosen)
{
	choice = chosen;
}

bool tsc_clock_has_counter(void)
{
	return choice == TSC_CLOCK_COUNTER;
}

static void keep_less(uint64_t *least, uint64_t value)
{
	if (value < *least)
		*least = value;
}

/* Where the vDSO answers, it derives the time from the counter, whatever the kernel calls its clock
 * source (tsc, kvm-clock, hyperv_clocksource_tsc_page, arch_sys_counter). Otherwise libc makes a
 * system call, which takes as long as one that is made here. */
static bool is_answered_by_vdso(void)
{
	uint64_t asked = UINT64_MAX, called = UINT64_MAX;
	struct timespec unused;

	for (int i = 0; i < JUDGED_READINGS; i++) {
		uint64_t begin = arch_ticks();
		clock_now_ns();
		uint64_t between = arch_ticks();
		kernel_call(SYS_clock_gettime, CLOCK_MONOTONIC, &unused);
		keep_less(&called, arch_ticks() - between);
		keep_less(&asked, between - begin);
	}
	return asked * 3 < called * 2;
}

/* Reads both at one instant. If the thread loses its processor between the two readings, they are
 * wrong by as long as that takes; the counter shows it, and they are read again. False: each time.
 */
static bool read_both(uint64_t *ticks, uint64_t *ns)
{
	uint64_t least = UINT64_MAX, close = arch_ticks_close();

	for (int i = 0; i < TRIES && least > close; i++) {
		uint64_t before = arch_ticks(), now = clock_now_ns();
		uint64_t spent = arch_ticks() - before;
		if (spent >= least)
			continue;
		least = spent;
		*ticks = before + spent / 2;
		*ns = now;
	}
	return least <= close;
}

void tsc_clock_calibrate(void)
{
	uint64_t ticks = 0, ns = 0;

	if (choice == TSC_CLOCK_JUDGED)
		choice = is_answered_by_vdso() ? TSC_CLOCK_COUNTER : TSC_CLOCK_KERNEL;
	if (choice == TSC_CLOCK_KERNEL)
		return;
	read_both(&ticks, &ns);
	if (!first_ns) {
		first_ticks = ticks;
		first_ns = ns;
		return;
	}
	if (tsc_clock_rate || ns - first_ns < CALIBRATION_NS || ticks <= first_ticks)
		return;
	tsc_clock_ticks_us = (ticks - first_ticks) * 1000 / (ns - first_ns);
	uint64_t rate = (uint64_t)(((unsigned __int128)(ns - first_ns) << QUICK_CLOCK_BITS) /
				   (ticks - first_ticks));
	__atomic_store_n(&tsc_clock_rate, rate, __ATOMIC_RELAXED);
}

/* Calibrates for the second time, as soon as enough time has passed. */
static void improve(uint64_t now_ns)
{
	int saved = errno;

	if (first_ns && choice == TSC_CLOCK_COUNTER && now_ns - first_ns >= CALIBRATION_NS)
		tsc_clock_calibrate();
	errno = saved;
}

static uint64_t read_kernels(struct tsc_clock *clock)
{
	uint64_t now_ns = clock_now_ns();

	if (unlikely(choice == TSC_CLOCK_COUNTER))
		improve(now_ns);
	if (now_ns > clock->last_ns)
		clock->last_ns = now_ns;
	return clock->last_ns;
}

/* Is a reading of both what the counter alone would have said? A clock that was never set has
 * foretold nothing. */
static bool is_foretold(const struct tsc_clock *clock, uint64_t ticks, uint64_t ns, uint64_t rate)
{
	unsigned __int128 passed = (unsigned __int128)(ticks - clock->ticks) * rate;
	uint64_t foretold_ns = clock->ns + (uint64_t)(passed >> QUICK_CLOCK_BITS);
	uint64_t apart_ns = foretold_ns > ns ? foretold_ns - ns : ns - foretold_ns;

	return !clock->ns || apart_ns <= FORETOLD_NS + (ns - clock->ns) / FORETOLD_PART;
}

static void give_up_counter(void)
{
	choice = TSC_CLOCK_KERNEL;
	__atomic_store_n(&tsc_clock_ticks_us, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&tsc_clock_rate, 0, __ATOMIC_RELAXED);
}

uint64_t tsc_clock_set(struct tsc_clock *clock)
{
	uint64_t rate = __atomic_load_n(&tsc_clock_rate, __ATOMIC_RELAXED), ticks = 0, ns = 0;

	if (!rate)
		return read_kernels(clock);
	bool is_close = read_both(&ticks, &ns);
	if (unlikely(!is_foretold(clock, ticks, ns, rate)))
		clock->jumps += is_close;
	else
		clock->jumps = 0;
	if (unlikely(clock->jumps >= MOST_JUMPS))
		give_up_counter();
	clock->ticks = ticks;
	clock->ns = ns > clock->last_ns ? ns : clock->last_ns;
	return clock->last_ns = clock->ns;
}
