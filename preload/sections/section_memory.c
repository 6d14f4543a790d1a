/* SPDX-License-Identifier: MIT */
#include "preload/sections/section_memory.h"

#include "preload/file/rows.h"

enum { ROW_LIMIT = 4096, ROWS_PER_BLOCK = 64 };

static struct row_array memory = {
	.table = TABLE_named_memory,
	.row_bytes = sizeof(struct row_named_memory),
	.rows_per_block = ROWS_PER_BLOCK,
	.limit = ROW_LIMIT,
	.next = 1,
};

void section_memory_reset(void)
{
	row_array_reset(&memory);
}

void section_memory_name(uint64_t address, uint64_t bytes, const char *name)
{
	uint32_t number;
	struct row_named_memory *row = address ? row_array_add(&memory, &number) : NULL;

	if (!row)
		return;
	row->bytes = bytes;
	row->name = store_string(name);
	__atomic_store_n(&row->address, address, __ATOMIC_RELEASE);
}
