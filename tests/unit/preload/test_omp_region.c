/* SPDX-License-Identifier: MIT */
#include "preload/file/schema.h"
#include "preload/openmp/omp_region.h"
#include "preload/stacks/callpath.h"
#include "preload/stacks/unwind.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stddef.h>

static void prepare(void)
{
	ck_assert_int_eq(scratch_open(), 0);
	callpath_reset();
	omp_region_reset();
}

static uint32_t found(uint64_t place, uint32_t parent)
{
	return omp_region_find(OMP_REGION_PARALLEL, place, parent, 0);
}

START_TEST(a_region_is_its_place_and_its_parent)
{
	prepare();
	uint32_t outer = found(0x1000, 0), inner = found(0x2000, outer);
	ck_assert_uint_ne(outer, 0);
	ck_assert_uint_ne(inner, 0);
	ck_assert_uint_eq(found(0x1000, 0), outer);
	ck_assert_uint_eq(found(0x2000, outer), inner);
	ck_assert_uint_ne(found(0x2000, 0), inner);
	ck_assert_uint_ne(found(0x1000 | UNWIND_EXACT, 0), outer);
	ck_assert_uint_eq(omp_region_known(OMP_REGION_PARALLEL, 0x3000, 0), 0);
}
END_TEST

START_TEST(recursion_comes_to_an_end)
{
	uint32_t at = 0, before = 0;

	prepare();
	for (int i = 0; i < 10 * OMP_LEVELS_MOST; i++) {
		before = at;
		at = found(0x1000, at);
		ck_assert_uint_ne(at, 0);
	}
	ck_assert_uint_eq(at, before);
	ck_assert_uint_le(at, OMP_LEVELS_MOST);
	/* one that is too deep, and of another place, is of the one that it is met in */
	ck_assert_uint_eq(found(0x2000, at), at);
}
END_TEST

START_TEST(a_full_table_is_said)
{
	prepare();
	uint32_t other = omp_region_other();
	ck_assert_uint_ne(other, 0);
	for (uint64_t i = 1; i < OMP_REGIONS_MOST - 1; i++)
		ck_assert_uint_ne(found(i * 16, 0), other);
	ck_assert_uint_eq(found(OMP_REGIONS_MOST * UINT64_C(16), 0), other);
	ck_assert_uint_ne(found(16, 0), other);
}
END_TEST

enum { THREADS = 4, PLACES = 400 };
static uint32_t numbers[THREADS][PLACES];

static void *find_all(void *argument)
{
	uint32_t *mine = numbers[(uintptr_t)argument % THREADS];

	for (uint64_t i = 0; i < PLACES; i++)
		mine[i] = found((i + 1) * 64, 0);
	return NULL;
}

static unsigned rows;

static void count_rows(const struct format_block *block, void *context)
{
	const struct row_omp_regions *row = (const void *)(block + 1);

	(void)context;
	for (uint32_t i = 0; block->table == TABLE_omp_regions && i < block->capacity; i++)
		rows += row[i].place != 0;
}

START_TEST(threads_that_come_at_once_agree_afterwards)
{
	prepare();
	scratch_run(THREADS, find_all);
	scratch_walk(count_rows, NULL);
	ck_assert_uint_ge(rows, PLACES);
	ck_assert_uint_le(rows, THREADS * PLACES);
	for (uint64_t i = 0; i < PLACES; i++) {
		uint32_t known = omp_region_known(OMP_REGION_PARALLEL, (i + 1) * 64, 0);
		bool is_one_of_them = false;
		for (int t = 0; t < THREADS; t++) {
			ck_assert_uint_ne(numbers[t][i], 0);
			is_one_of_them |= numbers[t][i] == known;
		}
		ck_assert(is_one_of_them);
	}
}
END_TEST

UNIT_MAIN("omp_region", a_region_is_its_place_and_its_parent, recursion_comes_to_an_end,
	  a_full_table_is_said, threads_that_come_at_once_agree_afterwards)
