/* SPDX-License-Identifier: MIT */
/* The error of blame that is charged at random, against many draws of which it is known who held
 * the lock. */
#include "analyze/model/sync/blame_error.h"
#include "analyze/model/sync/synchronization.h"
#include "analyze/read/profile.h"
#include "tests/unit/unit.h"

#include <math.h>

enum { WAITS = 20000, TRIALS = 300 };

static uint64_t state = 5;

/* 0 to 1, the same in every run: xorshift64 (Marsaglia 2003). */
static double draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) * 0x1p-53;
}

struct trial {
	struct profile_wait wait;
	struct sync_row row;
	uint64_t charged_ns, true_ns; /* to the first of two holders */
};

static void add_length(struct profile_wait *wait, uint64_t ns)
{
	wait->count++;
	wait->sum_ns += ns;
	wait->histogram[63 - __builtin_clzll(ns | 1)]++;
}

/* One in `every` is measured; the first holder has the given share of the waits, and its own are
 * `times` as long. */
static void try_once(struct trial *trial, unsigned every, double share, double times)
{
	double known_ns = 0, first_ns = 0;

	*trial = (struct trial){0};
	for (int i = 0; i < WAITS; i++) {
		bool is_first = draw() < share;
		double length = -1000 * log(draw() + 1e-12) * (is_first ? times : 1);
		uint64_t ns = 1 + (uint64_t)length;

		add_length(&trial->wait, ns);
		trial->true_ns += is_first ? ns : 0;
		if (draw() * every < 1) {
			known_ns += (double)ns;
			first_ns += is_first ? (double)ns : 0;
			trial->charged_ns += is_first ? ns : 0;
		} else {
			trial->wait.left_out++;
			trial->charged_ns += draw() * known_ns < first_ns ? ns : 0;
		}
	}
	trial->row = (struct sync_row){.contended = trial->wait.count,
				       .left_out = trial->wait.left_out,
				       .wait_ns = trial->wait.sum_ns,
				       .spread_us2 = blame_error_spread(&trial->wait)};
}

/* The root of the mean square of how far it is off, in standard errors. */
static double off_by(unsigned every, double share, double times)
{
	struct trial trial;
	double squares = 0;

	for (int i = 0; i < TRIALS; i++) {
		try_once(&trial, every, share, times);
		double off = (double)trial.charged_ns - (double)trial.true_ns;
		double error = blame_error_ns(sync_row_lot(&trial.row), trial.charged_ns);

		ck_assert_double_gt(error, 0);
		squares += off * off / (error * error);
	}
	return sqrt(squares / TRIALS);
}

/* Between half and all of what is told, and a quarter more. */
static void check(unsigned every, double share, double times)
{
	double off = off_by(every, share, times);

	ck_assert_msg(off > 0.5 && off < 1.25,
		      "1 in %u, share %g, %g times as long: off by %.2f errors", every, share,
		      times, off);
}

START_TEST(the_error_is_what_it_is_off)
{
	check(20, 0.3, 1);
	check(200, 0.5, 1);
	check(20, 0.1, 9);
	check(2, 0.5, 1);
	check(20, 0.9, 3);
}
END_TEST

START_TEST(what_is_measured_has_none)
{
	struct trial trial;

	try_once(&trial, 1, 0.3, 1);
	ck_assert_uint_eq(trial.wait.left_out, 0);
	ck_assert_uint_eq(trial.charged_ns, trial.true_ns);
	ck_assert_double_eq(blame_error_ns(sync_row_lot(&trial.row), trial.charged_ns), 0);
}
END_TEST

/* One of 0.1 s among thousands of a microsecond: it is measured, or charged to nobody. */
START_TEST(a_long_one_is_nobodys_by_lot)
{
	struct trial trial;

	try_once(&trial, 20, 0.3, 1);
	uint64_t spread = blame_error_spread(&trial.wait);
	add_length(&trial.wait, 100000000);
	ck_assert_uint_le(blame_error_spread(&trial.wait), spread + spread / 5);
}
END_TEST

START_TEST(any_number_is_a_number)
{
	struct profile_wait wait = {.count = 1, .left_out = UINT64_MAX, .sum_ns = UINT64_MAX};

	wait.histogram[31] = UINT64_MAX;
	wait.histogram[0] = 1;
	struct sync_row row = {.contended = 1,
			       .left_out = UINT64_MAX,
			       .wait_ns = 1,
			       .spread_us2 = blame_error_spread(&wait)};

	ck_assert(isfinite(blame_error_ns(sync_row_lot(&row), UINT64_MAX)));
	ck_assert_uint_eq(blame_error_spread(&(struct profile_wait){.left_out = 5}), 0);
}
END_TEST

UNIT_MAIN("blame_error", the_error_is_what_it_is_off, what_is_measured_has_none,
	  a_long_one_is_nobodys_by_lot, any_number_is_a_number)
