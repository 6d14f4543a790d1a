/* SPDX-License-Identifier: MIT */
/* Which collective calls are kept: fewer and fewer, always of those that were kept before, and of a
 * pattern in the calls all parts alike. */
#include "preload/mpi/mpi_record.h"
#include "tests/unit/unit.h"

enum { CALLS = 1 << 14, PATTERNS = 12 };

static const uint64_t phases[] = {0, 1, 0x1234567890abcdefu};

START_TEST(all_are_kept_at_first)
{
	for (uint64_t sequence = 0; sequence < CALLS; sequence++)
		ck_assert(mpi_record_is_kept(phases[sequence % 3], sequence, 1));
}
END_TEST

START_TEST(what_a_larger_stride_keeps_a_smaller_one_keeps)
{
	for (uint64_t stride = 2; stride < 1024; stride *= 2)
		for (uint64_t sequence = 0; sequence < CALLS; sequence++)
			if (mpi_record_is_kept(7, sequence, stride * 2))
				ck_assert(mpi_record_is_kept(7, sequence, stride));
}
END_TEST

/* Ranks that are late in turn, two by two or n by n: each of them is met in its share of the calls,
 * to a fifth, where 256 calls of each are expected and more. */
START_TEST(patterns_are_not_met_in_one_phase)
{
	for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
		for (uint64_t stride = 2; stride <= 4; stride *= 2)
			for (uint64_t period = 2; period <= PATTERNS; period++) {
				uint64_t kept[PATTERNS] = {0};

				for (uint64_t sequence = 0; sequence < CALLS; sequence++)
					kept[sequence % period] +=
						mpi_record_is_kept(phases[i], sequence, stride);
				for (uint64_t j = 0; j < period; j++) {
					double share =
						(double)kept[j] * (double)(stride * period) / CALLS;

					ck_assert_msg(share > 0.8 && share < 1.2,
						      "stride %d, period %d: %g of its share",
						      (int)stride, (int)period, share);
				}
			}
}
END_TEST

UNIT_MAIN("mpi_record", all_are_kept_at_first, what_a_larger_stride_keeps_a_smaller_one_keeps,
	  patterns_are_not_met_in_one_phase)
