/* SPDX-License-Identifier: MIT */
/* Prices of calls: what libc's part of a lock takes is not the profiler's. How large they are
 * depends on the machine, and is checked by the bench. */
#include "preload/locks/mutex_word.h"
#include "preload/process/real.h"
#include "preload/thread/call_price.h"
#include "tests/unit/unit.h"

#include <unistd.h>

enum { MOST_PS = 100000 };

static unsigned acts;

static void act(void)
{
	acts++;
}

START_TEST(a_price_is_at_most_what_no_machine_needs)
{
	ck_assert_uint_le(call_price_of(act, 1, MOST_PS), MOST_PS);
	ck_assert_uint_gt(acts, 1);
}
END_TEST

START_TEST(libcs_part_of_a_lock_is_known)
{
	struct call_prices prices;

	real_resolve();
	mutex_word_learn((int32_t)gettid());
	call_price_measure(&prices, (int32_t)gettid());
	ck_assert_uint_gt(prices.native_pair_ps[false], 0);
	ck_assert_uint_gt(prices.native_pair_ps[true], 0);
	ck_assert_uint_le(prices.pair_ps[false], MOST_PS);
	ck_assert_uint_le(prices.lock_ps, MOST_PS);
}
END_TEST

static int other_lock(pthread_mutex_t *mutex)
{
	mutex->__data.__lock = 1;
	return 0;
}

START_TEST(where_another_library_has_the_locks_nothing_is_libcs)
{
	struct call_prices prices;

	real_resolve();
	real.pthread_mutex_lock = other_lock;
	mutex_word_learn((int32_t)gettid());
	call_price_measure(&prices, (int32_t)gettid());
	ck_assert_uint_eq(prices.native_pair_ps[false], 0);
	ck_assert_uint_eq(prices.pair_ps[false], 2 * prices.call_ps);
}
END_TEST

UNIT_MAIN("call_price", a_price_is_at_most_what_no_machine_needs, libcs_part_of_a_lock_is_known,
	  where_another_library_has_the_locks_nothing_is_libcs)
