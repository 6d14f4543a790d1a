/* SPDX-License-Identifier: MIT */
#include "preload/file/note.h"

#include "preload/file/rows.h"

static const char *const texts[NOTE_COUNT] = {
#define NOTE_TEXT(name, text) [NOTE_##name] = text,
	NOTE_LIST(NOTE_TEXT)
#undef NOTE_TEXT
};

static struct {
	struct row_array rows;
	uint32_t number[NOTE_COUNT]; /* atomic; 0: no row yet, UINT32_MAX: being made */
} notes = {
	.rows = {.table = TABLE_notes,
		 .row_bytes = sizeof(struct row_notes),
		 .rows_per_block = NOTE_COUNT + 1,
		 .limit = NOTE_COUNT + 1,
		 .next = 1},
};

void note_reset(void)
{
	row_array_reset(&notes.rows);
	for (int i = 0; i < NOTE_COUNT; i++)
		notes.number[i] = 0;
}

static void make_row(enum note_code code, uint32_t detail)
{
	uint32_t number;
	struct row_notes *row = row_array_add(&notes.rows, &number);

	if (!row)
		return;
	row->count = 1;
	row->text = store_string(texts[code]);
	uint64_t words = (uint64_t)code | (uint64_t)detail << 32;
	__atomic_store_n((uint64_t *)row, words, __ATOMIC_RELEASE);
	__atomic_store_n(&notes.number[code], number, __ATOMIC_RELEASE);
}

void note_once(enum note_code code, uint32_t detail)
{
	uint32_t seen = 0;

	if (!store_header())
		return;
	if (__atomic_compare_exchange_n(&notes.number[code], &seen, UINT32_MAX, false,
					__ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		make_row(code, detail);
	} else if (seen != UINT32_MAX) {
		struct row_notes *row = row_array_row(&notes.rows, seen);
		row->detail = detail;
		__atomic_fetch_add(&row->count, 1, __ATOMIC_RELAXED);
	}
}
