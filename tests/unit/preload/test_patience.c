/* SPDX-License-Identifier: MIT */
/* Waiting for another thread inside the library: it ends, sleeps, and lets threads of a lower
 * priority go on. */
#include "preload/base/patience.h"

#include "preload/base/clock.h"
#include "preload/base/kernel_call.h"

#include "tests/unit/unit.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

enum { SHORT_NS = 50000000, LONG_NS = 2000000000 };

START_TEST(it_ends_and_sleeps)
{
	struct patience patience = {0};
	uint64_t begin_ns = clock_now_ns(), begin_cpu_ns = clock_thread_cpu_ns();

	errno = 77;
	while (patience_left(&patience, SHORT_NS))
		ck_assert_int_eq(errno, 77);
	ck_assert_int_eq(errno, 77);
	uint64_t elapsed_ns = clock_now_ns() - begin_ns;
	ck_assert_uint_ge(elapsed_ns, SHORT_NS);
	ck_assert_uint_lt(clock_thread_cpu_ns() - begin_cpu_ns, elapsed_ns / 2);
}
END_TEST

START_TEST(a_sealed_process_only_looks)
{
	struct patience patience = {0};
	unsigned looks = 0;

	kernel_is_sealed = true;
	while (patience_left(&patience, UINT64_MAX))
		looks++;
	kernel_is_sealed = false;
	ck_assert_uint_eq(looks, 100);
}
END_TEST

/* ---- two priorities on one processor */

static int is_done, is_ready;

static void *finish(void *unused)
{
	__atomic_store_n(&is_ready, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&is_ready, __ATOMIC_ACQUIRE) == 1)
		sched_yield();
	__atomic_store_n(&is_done, 1, __ATOMIC_RELEASE);
	return unused;
}

static bool take_priority(pthread_t thread, int priority)
{
	const struct sched_param parameters = {.sched_priority = priority};

	return !pthread_setschedparam(thread, SCHED_FIFO, &parameters);
}

/* The calling thread, and those that it makes, on one processor. */
static void share_processor(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
}

START_TEST(a_lower_priority_goes_on)
{
	struct patience patience = {0};
	pthread_t other;

	share_processor();
	if (!take_priority(pthread_self(), 2)) {
		puts("a_lower_priority_goes_on: skipped, the system refuses SCHED_FIFO");
		return;
	}
	ck_assert_int_eq(pthread_create(&other, NULL, finish, NULL), 0);
	ck_assert(take_priority(other, 1));
	while (!__atomic_load_n(&is_ready, __ATOMIC_ACQUIRE))
		ck_assert(patience_left(&patience, LONG_NS));
	__atomic_store_n(&is_ready, 2, __ATOMIC_RELEASE);
	patience = (struct patience){0};
	while (!__atomic_load_n(&is_done, __ATOMIC_ACQUIRE))
		ck_assert(patience_left(&patience, LONG_NS));
	pthread_join(other, NULL);
}
END_TEST

UNIT_MAIN("patience", it_ends_and_sleeps, a_sealed_process_only_looks, a_lower_priority_goes_on)
