/* SPDX-License-Identifier: MIT */
/* A handler jumps out of the first call path at every instruction: afterwards the file has each
 * row's number once, and the place has its row. */
#include "preload/file/note.h"
#include "preload/file/store_map.h"
#include "preload/process/module_map.h"
#include "preload/stacks/callpath.h"
#include "scratch.h"
#include "steps.h"
#include "tests/unit/unit.h"

#include <string.h>

enum { ENOUGH = 9 << 20 /* bytes of the store: then another one is opened */ };

static uint64_t from; /* where the blocks of this run begin */

static void prepare(void)
{
	if (!store_header() || store_header()->used_bytes > ENOUGH) {
		store_forget();
		store_free_buried();
		ck_assert_int_eq(scratch_open(), 0);
	}
	callpath_reset();
	module_map_reset();
	note_reset();
	store_keep_room(64 << 10); /* signals are blocked while the file grows */
	from = store_header()->used_bytes;
}

static void work(void)
{
	callpath_place((uint64_t)work);
}

static void handler(void)
{
}

static bool has_rows(const struct format_block *block, uint16_t table)
{
	return block->magic == FORMAT_BLOCK_MAGIC && block->table == table && block->capacity;
}

/* Rows of the table with that number, of blocks of this run. */
static unsigned blocks_with(uint16_t table, uint32_t number, uint64_t *first_word)
{
	const struct format_header *header = store_header();
	unsigned found = 0;

	for (uint64_t at = from; at < header->used_bytes; at += 64) {
		const struct format_block *block = store_map_place(at, sizeof *block);
		if (!has_rows(block, table) || number - block->first_row >= block->capacity)
			continue;
		block = store_map_place(at, block->bytes);
		memcpy(first_word,
		       (const char *)(block + 1) + (number - block->first_row) * block->row_bytes,
		       sizeof *first_word);
		found++;
	}
	return found;
}

static void judge(unsigned step)
{
	uint32_t number = callpath_place((uint64_t)work);
	uint64_t word = 0;

	if (!number)
		ck_abort_msg("step %u: the place has no row", step);
	if (blocks_with(TABLE_callpaths, number, &word) != 1 || !word)
		ck_abort_msg("step %u: its row is in %u blocks", step,
			     blocks_with(TABLE_callpaths, number, &word));
	if (blocks_with(TABLE_modules, 1, &word) != 1)
		ck_abort_msg("step %u: module 1 is in %u blocks", step,
			     blocks_with(TABLE_modules, 1, &word));
}

START_TEST(first_rows)
{
	const struct steps_case what = {prepare, work, handler, judge, .leaves = true};

	module_map_start();
	ck_assert_uint_gt(steps_run(&what), 300);
}
END_TEST

UNIT_MAIN("left_rows", first_rows)
