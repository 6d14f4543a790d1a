/* SPDX-License-Identifier: MIT */
#include "preload/base/tsc_clock.h"

#include "scratch.h"
#include "tests/unit/unit.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	THREADS = 4,
	TOLERANCE_NS = 2000,
	SECOND_NS = 1000000000,
};

static void calibrate(void)
{
	tsc_clock_calibrate();
	usleep(20000);
	tsc_clock_calibrate();
}

/* Compares with the real clock for that long; returns how often it was out of tolerance, or went
 * back. However long the thread is away, what it read lies between what it read before and after.
 */
static uint64_t count_wrong(uint64_t length_ns)
{
	struct tsc_clock clock = {0};
	uint64_t begin_ns = clock_now_ns(), latest = 0, wrong = 0;

	for (uint64_t before = begin_ns; before < begin_ns + length_ns;) {
		uint64_t now = tsc_clock_now_ns(&clock), after = clock_now_ns();
		wrong += now + TOLERANCE_NS < before || now > after + TOLERANCE_NS || now < latest;
		latest = now;
		before = clock_now_ns();
	}
	return wrong;
}

START_TEST(agrees_with_the_real_clock_for_a_second)
{
	calibrate();
	ck_assert_uint_eq(count_wrong(SECOND_NS), 0);
}
END_TEST

START_TEST(agrees_in_a_fork_child)
{
	int status = -1;

	calibrate();
	pid_t child = fork();
	if (!child)
		_exit(count_wrong(SECOND_NS / 5) != 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

static uint64_t wrong_in_threads;

static void *compare(void *unused)
{
	(void)unused;
	__atomic_add_fetch(&wrong_in_threads, count_wrong(SECOND_NS / 3), __ATOMIC_RELAXED);
	return NULL;
}

START_TEST(agrees_on_several_threads)
{
	calibrate();
	scratch_run(THREADS, compare);
	ck_assert_uint_eq(wrong_in_threads, 0);
}
END_TEST

/* Before the rate is known, and where the kernel does not trust the counter. */
START_TEST(without_a_rate_it_is_the_real_clock)
{
	tsc_clock_calibrate();
	tsc_clock_calibrate(); /* too soon after the first */
	ck_assert_uint_eq(tsc_clock_rate, 0);
	ck_assert_uint_eq(count_wrong(SECOND_NS / 20), 0);
}
END_TEST

START_TEST(the_rate_is_kept_once_it_is_known)
{
	calibrate();
	uint64_t rate = tsc_clock_rate;
	usleep(5000);
	tsc_clock_calibrate();
	ck_assert_uint_eq(tsc_clock_rate, rate);
}
END_TEST

static void spend_time(int number)
{
	(void)number;
	for (uint64_t end_ns = clock_now_ns() + 20000; clock_now_ns() < end_ns;)
		;
}

/* A handler that takes 20 us comes 2,000 times a second: again and again between the readings of
 * the two clocks, as other threads would. */
START_TEST(being_interrupted_while_it_is_set_does_no_harm)
{
	struct itimerval often = {{0, 500}, {0, 500}};
	struct tsc_clock clock = {0};
	uint64_t sets = 0, wrong = 0;

	calibrate();
	if (!tsc_clock_rate)
		return; /* the counter is not used here */
	tsc_clock_set(&clock);
	uint64_t ticks = clock.ticks, ns = clock.ns, end_ns = clock.ns + SECOND_NS / 2;
	signal(SIGALRM, spend_time);
	setitimer(ITIMER_REAL, &often, NULL);
	for (; clock.ns < end_ns; sets++) {
		tsc_clock_set(&clock);
		uint64_t passed =
			(uint64_t)((unsigned __int128)(clock.ticks - ticks) * tsc_clock_rate >>
				   QUICK_CLOCK_BITS);
		/* the rate itself is known to 0.01 % */
		uint64_t allowed = TOLERANCE_NS + passed / 10000;
		wrong += clock.ns - ns > passed + allowed || clock.ns - ns + allowed < passed;
		if (sets % 1000 == 0) {
			ticks = clock.ticks;
			ns = clock.ns;
		}
	}
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
	ck_assert_msg(!wrong, "%lu of %lu settings were wrong", wrong, sets);
}
END_TEST

UNIT_MAIN("tsc_clock", agrees_with_the_real_clock_for_a_second, agrees_in_a_fork_child,
	  agrees_on_several_threads, without_a_rate_it_is_the_real_clock,
	  the_rate_is_kept_once_it_is_known, being_interrupted_while_it_is_set_does_no_harm)
