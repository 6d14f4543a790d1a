/* SPDX-License-Identifier: MIT */
/* Which waits are measured: all waits of programs that wait now and then, otherwise as many as fit
 * into two hundredths of the time; and how holders of the others are drawn by their shares of the
 * time. */
#include "preload/locks/wait_rate.h"
#include "preload/process/settings.h"
#include "tests/unit/unit.h"

#include <string.h>

static struct wait_rate rate;
static struct row_waits waits;
static struct row_blame blame[2];

/* Waits of one place, each so long after the one before; returns how many were measured. */
static unsigned wait_often(uint64_t key, unsigned count, uint64_t each_ns, uint64_t *now_ns)
{
	unsigned measured = 0;

	for (unsigned i = 0; i < count; i++) {
		*now_ns += each_ns;
		if (wait_rate_leave_out(&rate, key))
			continue;
		wait_rate_settle(&rate);
		wait_rate_charged(&rate, &blame[0], 100, true);
		wait_rate_measured(&rate, key, &waits, 100, *now_ns, 0);
		measured++;
	}
	return measured;
}

static void begin(void)
{
	memset(&rate, 0, sizeof rate);
	rate.chance = 7;
	settings.budget_percent = 2;
}

START_TEST(rare_waits_are_all_measured)
{
	uint64_t now_ns = 1000000000;

	begin();
	ck_assert_uint_eq(wait_often(1, 20000, 300000, &now_ns), 20000);
	ck_assert(!rate.is_short);
}
END_TEST

START_TEST(a_burst_is_measured)
{
	uint64_t now_ns = 1000000000;

	begin();
	for (int i = 0; i < 20; i++, now_ns += 20000000)
		ck_assert_uint_eq(wait_often(1, 50, 1000, &now_ns), 50);
	ck_assert(!rate.is_short);
}
END_TEST

/* Five microseconds each. */
static void check_share(uint64_t each_ns)
{
	uint64_t now_ns = 1000000000, begin_ns;

	begin();
	wait_often(1, 1000000, each_ns, &now_ns);
	begin_ns = now_ns;
	unsigned measured = wait_often(1, 2000000, each_ns, &now_ns);
	double share = measured * 5e3 / (double)(now_ns - begin_ns);
	ck_assert_msg(share > 0.012 && share < 0.026, "%g of the time, a wait each %u ns", share,
		      (unsigned)each_ns);
}

START_TEST(many_waits_take_two_hundredths)
{
	check_share(10000);
	check_share(2000);
	check_share(500);
}
END_TEST

START_TEST(a_larger_budget_measures_more)
{
	uint64_t now_ns = 1000000000;

	begin();
	unsigned few = wait_often(1, 1000000, 2000, &now_ns);
	begin();
	settings.budget_percent = 10;
	unsigned more = wait_often(1, 1000000, 2000, &now_ns);
	ck_assert_msg(more > 3 * few && more < 8 * few, "%u, and %u", few, more);
	begin();
	settings.budget_percent = 100;
	ck_assert_uint_eq(wait_often(1, 1000000, 2000, &now_ns), 1000000);
}
END_TEST

START_TEST(at_least_one_in_so_many_is_measured)
{
	uint64_t now_ns = 1000000000;

	begin();
	wait_often(1, 1000000, 20, &now_ns);
	unsigned measured = wait_often(1, 1000000, 20, &now_ns);
	ck_assert_uint_gt(measured, 1000000 / RATE_EVERY_MOST * 9 / 10);
	ck_assert_uint_lt(measured, 1000000 / RATE_EVERY_MOST * 11 / 10);
}
END_TEST

START_TEST(all_are_measured_again_when_they_are_few)
{
	uint64_t now_ns = 1000000000;

	begin();
	wait_often(1, 100000, 500, &now_ns);
	ck_assert(rate.is_short);
	wait_often(1, 10000, 400000, &now_ns);
	ck_assert_uint_eq(wait_often(1, 1000, 400000, &now_ns), 1000);
}
END_TEST

/* The second of two places has one wait for ten of the first. */
START_TEST(places_are_drawn_each_for_itself)
{
	uint64_t now_ns = 1000000000;
	unsigned first = 0, second = 0;

	begin();
	for (int i = 0; i < 200000; i++) {
		first += wait_often(1, 10, 500, &now_ns);
		second += wait_often(UINT64_C(5) << 60 | 1, 1, 500, &now_ns);
	}
	ck_assert_uint_gt(first, 2000);
	ck_assert_uint_gt(second, 200);
}
END_TEST

/* Of one lock and call, from so many depths of the stack in turn; returns how many were measured.
 */
static unsigned wait_from(unsigned depths, unsigned count, uint64_t *now_ns)
{
	static const char lock = 1;
	unsigned measured = 0;

	for (unsigned i = 0; i < count; i++) {
		uint64_t sp = 0x7ffd0000 + i % depths * 208;
		measured += wait_often(wait_rate_key(&rate, &lock, 0x401234, sp), 1, 2000, now_ns);
	}
	return measured;
}

/* Those that have no room for themselves have it together: else nearly all would be measured. */
START_TEST(more_places_than_room_are_within_the_budget)
{
	uint64_t now_ns = 1000000000;

	begin();
	wait_from(500, 500000, &now_ns);
	unsigned of_many = wait_from(500, 500000, &now_ns);
	begin();
	wait_from(1, 500000, &now_ns);
	unsigned of_one = wait_from(1, 500000, &now_ns);
	ck_assert_msg(of_many < 3 * of_one, "%u of 500 places, %u of one", of_many, of_one);
}
END_TEST

static void measure(struct row_blame *holder, uint64_t ns, bool is_known)
{
	wait_rate_settle(&rate);
	wait_rate_charged(&rate, holder, ns, is_known);
	wait_rate_measured(&rate, 1, &waits, ns, 1000000000, 0);
}

/* How often that one is drawn, of 20,000 times. */
static unsigned drawn(const struct row_blame *holder)
{
	const struct rated_wait *place = wait_rate_find(&rate, 1);
	unsigned count = 0;

	for (int i = 0; i < 20000; i++)
		count += wait_rate_draw(&rate, place) == holder;
	return count;
}

/* One of ten waits is nine times as long as the others: half of the time. */
START_TEST(holders_are_drawn_by_their_time)
{
	begin();
	for (int i = 0; i < 5000; i++)
		measure(&blame[i % 10 == 0], i % 10 ? 1000 : 9000, true);
	ck_assert_uint_gt(drawn(&blame[1]), 9500);
	ck_assert_uint_lt(drawn(&blame[1]), 10500);
}
END_TEST

/* What was long ago no longer counts. */
START_TEST(holders_fade)
{
	begin();
	for (int i = 0; i < 2000; i++)
		measure(&blame[0], 1000, true);
	for (int i = 0; i < 2000; i++)
		measure(&blame[1], 1000, true);
	ck_assert_uint_gt(drawn(&blame[1]), 19900);
}
END_TEST

START_TEST(many_holders_share_a_place)
{
	static struct row_blame many[40];
	unsigned others = 0;

	begin();
	for (int i = 0; i < 20000; i++)
		measure(&many[i % 40], 1000, true);
	for (int i = 0; i < RATE_HOLDERS - 1; i++)
		others += drawn(&many[i]);
	ck_assert_uint_gt(others, 20000 * (RATE_HOLDERS - 1) / 40 * 8 / 10);
	ck_assert_uint_lt(others, 20000 * (RATE_HOLDERS - 1) / 40 * 12 / 10);
}
END_TEST

START_TEST(unknown_holders_are_drawn_where_there_is_no_other)
{
	begin();
	for (int i = 0; i < 1000; i++)
		measure(&blame[0], 1000, false);
	ck_assert_uint_eq(drawn(&blame[0]), 20000);
	measure(&blame[1], 1000, true);
	measure(&blame[0], 1000, false);
	ck_assert_uint_eq(drawn(&blame[1]), 20000);
}
END_TEST

START_TEST(what_was_charged_elsewhere_is_forgotten)
{
	begin();
	wait_rate_charged(&rate, &blame[0], 1000000, true);
	measure(&blame[1], 1000, true);
	ck_assert_uint_eq(drawn(&blame[1]), 20000);
}
END_TEST

/* Four places whose keys begin alike. */
START_TEST(places_do_not_push_each_other_out)
{
	uint64_t now_ns = 1000000000;
	unsigned measured = 0;

	begin();
	for (int i = 0; i < 100000; i++)
		for (uint64_t key = 1; key <= RATE_WAYS; key++)
			measured += wait_often(key, 1, 500, &now_ns);
	ck_assert_uint_lt(measured, RATE_WAYS * 100000 / 4);
}
END_TEST

START_TEST(whoever_has_no_blame_is_measured)
{
	begin();
	for (int i = 0; i < 1000; i++) {
		ck_assert_ptr_null(wait_rate_leave_out(&rate, 1));
		wait_rate_settle(&rate);
		wait_rate_measured(&rate, 1, &waits, 100, 1000000000, 0);
	}
}
END_TEST

/* By its time alone it would be drawn for nearly all of them. */
START_TEST(whoever_holds_unusually_long_is_not_drawn)
{
	begin();
	measure(&blame[0], 1000, true);
	waits.count = 1000;
	waits.sum_ns = 1000 * 1000;
	measure(&blame[1], 100000000, true);
	ck_assert_uint_eq(drawn(&blame[1]), 0);
	measure(&blame[1], 8000, true);
	ck_assert_uint_gt(drawn(&blame[1]), 10000);
	memset(&waits, 0, sizeof waits);
}
END_TEST

START_TEST(a_place_is_object_caller_and_stack)
{
	uint64_t key = wait_rate_key(&rate, (void *)0x1000, 0x401000, 0x7fff0000);

	ck_assert_uint_ne(key, wait_rate_key(&rate, (void *)0x1028, 0x401000, 0x7fff0000));
	ck_assert_uint_ne(key, wait_rate_key(&rate, (void *)0x1000, 0x401005, 0x7fff0000));
	ck_assert_uint_ne(key, wait_rate_key(&rate, (void *)0x1000, 0x401000, 0x7fff0010));
	ck_assert_uint_ne(key, 0);
}
END_TEST

/* A tenth of the time of a condition's waits was after the signal; then half of it. */
START_TEST(the_part_after_a_signal_is_estimated)
{
	const struct rated_wait *place;

	begin();
	measure(&blame[0], 1000, true);
	place = wait_rate_find(&rate, 1);
	ck_assert_uint_eq(wait_rate_again_ns(place, 1000), 0);
	for (int i = 0; i < 10; i++)
		wait_rate_woken(&rate, 1, 1000, 100);
	ck_assert_uint_ge(wait_rate_again_ns(place, 50000), 4900);
	ck_assert_uint_le(wait_rate_again_ns(place, 50000), 5100);
	for (int i = 0; i < 5000; i++)
		wait_rate_woken(&rate, 1, 1000, 500);
	ck_assert_uint_ge(wait_rate_again_ns(place, 50000), 24500);
	ck_assert_uint_le(wait_rate_again_ns(place, 50000), 25500);
	wait_rate_woken(&rate, 2, 1000, 100); /* a place that is not known */
	ck_assert_ptr_null(wait_rate_find(&rate, 2));
}
END_TEST

START_TEST(another_object_at_the_address_begins_anew)
{
	struct row_waits of_next = {.object = 2};

	begin();
	waits.object = 1;
	measure(&blame[0], 1000000, true);
	wait_rate_settle(&rate);
	wait_rate_charged(&rate, &blame[1], 1, true);
	wait_rate_measured(&rate, 1, &of_next, 1, 1000000000, 0);
	ck_assert_uint_eq(drawn(&blame[0]), 0);
	memset(&waits, 0, sizeof waits);
}
END_TEST

UNIT_MAIN("wait_rate", rare_waits_are_all_measured, a_burst_is_measured,
	  many_waits_take_two_hundredths, a_larger_budget_measures_more,
	  at_least_one_in_so_many_is_measured, all_are_measured_again_when_they_are_few,
	  places_are_drawn_each_for_itself, more_places_than_room_are_within_the_budget,
	  holders_are_drawn_by_their_time, holders_fade, many_holders_share_a_place,
	  unknown_holders_are_drawn_where_there_is_no_other,
	  what_was_charged_elsewhere_is_forgotten, places_do_not_push_each_other_out,
	  whoever_has_no_blame_is_measured, whoever_holds_unusually_long_is_not_drawn,
	  the_part_after_a_signal_is_estimated, another_object_at_the_address_begins_anew,
	  a_place_is_object_caller_and_stack)
