/* SPDX-License-Identifier: MIT */
/* A handler of the program at every instruction of counting and of growing: it counts so many other
 * objects, and the same ones, that it enlarges the table under the work that it interrupts. */
#include "preload/file/note.h"
#include "preload/file/store_map.h"
#include "preload/locks/call_counts.h"
#include "preload/locks/objects.h"
#include "preload/process/module_map.h"
#include "preload/stacks/callpath.h"
#include "scratch.h"
#include "steps.h"
#include "tests/unit/unit.h"

#include <string.h>

enum {
	MOST = 1700,      /* objects */
	OTHERS = 40,      /* that only the handler counts */
	ENOUGH = 9 << 20, /* bytes of the store: then another one is opened */
};

static struct call_counts counts;
static char objects[MOST];
static uint32_t owner;
static uint64_t from; /* where the blocks of this run begin */
static unsigned before, length;
static uint64_t calls[MOST]; /* the truth of this run; of work that may be left: at most */
static bool has_left;

static uint64_t caller_of(unsigned i)
{
	return (uint64_t)caller_of + i % 3;
}

/* In this order: a handler that leaves the call leaves it in the truth. */
static void count(unsigned i)
{
	__atomic_fetch_add(&calls[i], 1, __ATOMIC_RELAXED);
	call_counts_add(&counts, &objects[i], OP_SEM_POST, caller_of(i));
}

static void count_all(unsigned first, unsigned end)
{
	for (unsigned i = first; i < end; i++)
		count(i);
}

/* A table in which `before` objects have rows. */
static void prepare(void)
{
	if (!store_header() || store_header()->used_bytes > ENOUGH || owner >= 30000) {
		store_forget();
		store_free_buried();
		ck_assert_int_eq(scratch_open(), 0);
		callpath_reset();
		object_reset();
		module_map_reset();
		note_reset();
	}
	memset(calls, 0, sizeof calls);
	from = store_header()->used_bytes;
	call_counts_prepare(&counts, ++owner, 3);
	count_all(OTHERS, OTHERS + before);
	call_counts_add(&counts, NULL, OP_YIELD, 1); /* room in the file, before it is needed */
}

static void work(void)
{
	for (unsigned i = 0; i < length; i++) {
		count(OTHERS + before + i);
		count(OTHERS + before + i);
		count(OTHERS);
	}
}

/* Among others what the work is about to count. */
static void handler(void)
{
	count_all(0, OTHERS);
	count_all(OTHERS + before, OTHERS + before + length);
}

/* ---- what is in the file ---- */

static uint64_t counted[MOST], unknown;

/* Check's own assertions write to a file when they hold, too. */
static void must(bool holds)
{
	if (!holds)
		ck_abort_msg("a row is damaged");
}

static void add_row(const struct row_tallies *row)
{
	uint64_t i = (row->tag >> 8) - (uint64_t)objects;

	if (!row->count || row->operation == OP_YIELD)
		return;
	if (i >= MOST) {
		unknown += row->count;
		return;
	}
	counted[i] += row->count;
	must((row->tag & 0xff) == OP_SEM_POST && row->operation == OP_SEM_POST);
	must(row->caller == caller_of((unsigned)i));
	must(row->callpath == callpath_place(row->caller));
	must(row->object == object_row(&objects[i], OBJECT_SEMAPHORE, row->caller));
}

static void read_file(void)
{
	const struct format_header *header = store_header();

	memset(counted, 0, sizeof counted);
	unknown = 0;
	for (uint64_t at = from; at < header->used_bytes;) {
		struct format_block *block = store_map_place(at, sizeof *block);
		if (block->magic != FORMAT_BLOCK_MAGIC) {
			at += 64; /* reserved by work that was left */
			continue;
		}
		block = store_map_place(at, block->bytes);
		for (uint32_t i = 0; block->table == TABLE_tallies && i < block->capacity; i++)
			add_row((struct row_tallies *)store_rows(block) + i);
		at += block->bytes;
	}
}

static void compare(unsigned step)
{
	uint64_t left = 0;

	read_file();
	for (unsigned i = 0; i < MOST; i++) {
		if (counted[i] > calls[i])
			ck_abort_msg("step %u: object %u has %lu of %lu calls", step, i, counted[i],
				     calls[i]);
		left += calls[i] - counted[i];
	}
	if (left != unknown && !(has_left && left == unknown + 1))
		ck_abort_msg("step %u: %lu calls are missing", step, left - unknown);
}

/* Its rows are found by its address: by no call any more once it is destroyed. */
static void forget(unsigned i)
{
	uint64_t known = counted[i];

	call_counts_forget(&counts, &objects[i]);
	call_counts_add(&counts, &objects[i], OP_SEM_POST, caller_of(i));
	read_file();
	must(counted[i] <= known + 1);
	call_counts_forget(&counts, &objects[i]);
}

static void judge(unsigned step)
{
	compare(step);
	count_all(0, OTHERS + before + length);
	compare(step);
	if (step % 16 == 0)
		forget(OTHERS + before);
}

static unsigned run(unsigned objects_before, unsigned objects_new, bool leaves)
{
	const struct steps_case what = {prepare, work, handler, judge, leaves};

	before = objects_before;
	length = objects_new;
	has_left = leaves;
	return steps_run(&what);
}

START_TEST(first_table)
{
	ck_assert_uint_gt(run(0, 2, false), 300);
}
END_TEST

START_TEST(larger_table)
{
	ck_assert_uint_gt(run(7, 2, false), 300);
}
END_TEST

START_TEST(largest_table)
{
	ck_assert_uint_gt(run(126, 2, false), 300);
}
END_TEST

START_TEST(left_for_good)
{
	ck_assert_uint_gt(run(7, 2, true), 300);
	ck_assert_uint_gt(run(126, 2, true), 300);
}
END_TEST

UNIT_MAIN("interrupted counts", first_table, larger_table, largest_table, left_for_good)
