/* SPDX-License-Identifier: MIT */
#include "preload/base/tsc_clock.h"

#include "preload/base/direct.h"
#include "preload/base/kernel_call.h"

#include "scratch.h"
#include "tests/unit/unit.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	THREADS = 4,
	TOLERANCE_NS = 2000,
	SECOND_NS = 1000000000,
};

static void calibrate_as(enum tsc_clock_choice choice)
{
	tsc_clock_choose(choice);
	tsc_clock_calibrate();
	usleep(20000);
	tsc_clock_calibrate();
}

static void calibrate(void)
{
	calibrate_as(TSC_CLOCK_COUNTER);
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

/* ---- which clock ---- */

/* The kernel's clock as a program's library asks for it, and how often it did. */
static int (*answer)(clockid_t, struct timespec *), (*real)(clockid_t, struct timespec *);
static uint64_t asked;

static int count_answer(clockid_t id, struct timespec *time)
{
	asked++;
	return answer(id, time);
}

static int answer_by_call(clockid_t id, struct timespec *time)
{
	return (int)kernel_call(SYS_clock_gettime, id, time);
}

/* Takes next to nothing, as the vDSO does on a machine that has one. */
static int answer_by_counter(clockid_t id, struct timespec *time)
{
	(void)id;
	*time = clock_span_of(arch_ticks());
	return 0;
}

static void answer_with(int (*function)(clockid_t, struct timespec *))
{
	answer = function;
	real = direct.clock_gettime;
	direct.clock_gettime = count_answer;
}

START_TEST(the_counter_is_used_where_no_system_call_answers)
{
	answer_with(answer_by_counter);
	tsc_clock_calibrate();
	ck_assert(tsc_clock_has_counter());
}
END_TEST

START_TEST(the_kernels_clock_is_used_where_a_system_call_answers)
{
	answer_with(answer_by_call);
	calibrate_as(TSC_CLOCK_JUDGED);
	ck_assert(!tsc_clock_has_counter());
	ck_assert_uint_eq(tsc_clock_rate, 0);
	ck_assert_uint_eq(count_wrong(SECOND_NS / 20), 0);
}
END_TEST

START_TEST(without_the_counter_a_reading_asks_the_kernel_once)
{
	struct tsc_clock clock = {0};

	answer_with(direct.clock_gettime);
	calibrate_as(TSC_CLOCK_KERNEL);
	asked = 0;
	for (int i = 0; i < 1000; i++)
		tsc_clock_now_ns(&clock);
	ck_assert_uint_eq(asked, 1000);
}
END_TEST

/* ---- a counter that jumps ---- */

static uint64_t changed_from_ns, changed_percent, added_ns;

/* The kernel's clock, as a counter finds it that got another rate, or was set. */
static int answer_changed(clockid_t id, struct timespec *time)
{
	int result = real(id, time);
	uint64_t ns = clock_ns_of(time);

	if (changed_percent)
		ns += (ns - changed_from_ns) * changed_percent / 100;
	*time = clock_span_of(ns + added_ns);
	return result;
}

/* Each more than a millisecond after the one before, so that the clock is set. */
static void read_seldom(struct tsc_clock *clock)
{
	for (int i = 0; i < 10; i++) {
		usleep(3000);
		tsc_clock_now_ns(clock);
	}
}

START_TEST(another_rate_is_noticed)
{
	struct tsc_clock clock = {0};

	answer_with(answer_changed);
	calibrate();
	read_seldom(&clock);
	ck_assert(tsc_clock_has_counter());
	changed_from_ns = clock_now_ns();
	changed_percent = 10;
	read_seldom(&clock);
	ck_assert(!tsc_clock_has_counter());
	ck_assert_uint_eq(tsc_clock_rate, 0);
	ck_assert_uint_eq(count_wrong(SECOND_NS / 20), 0);
}
END_TEST

START_TEST(one_jump_is_corrected)
{
	struct tsc_clock clock = {0};

	answer_with(answer_changed);
	calibrate();
	read_seldom(&clock);
	added_ns = SECOND_NS;
	read_seldom(&clock);
	ck_assert(tsc_clock_has_counter());
	ck_assert_uint_eq(clock.jumps, 0);
	ck_assert_uint_eq(count_wrong(SECOND_NS / 20), 0);
}
END_TEST

/* Before the rate is known. */
START_TEST(without_a_rate_it_is_the_real_clock)
{
	tsc_clock_choose(TSC_CLOCK_COUNTER);
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
	  agrees_on_several_threads, the_counter_is_used_where_no_system_call_answers,
	  the_kernels_clock_is_used_where_a_system_call_answers,
	  without_the_counter_a_reading_asks_the_kernel_once, another_rate_is_noticed,
	  one_jump_is_corrected, without_a_rate_it_is_the_real_clock,
	  the_rate_is_kept_once_it_is_known, being_interrupted_while_it_is_set_does_no_harm)
