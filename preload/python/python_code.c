/* SPDX-License-Identifier: MIT */
#include "preload/python/python_code.h"

#include "preload/base/hash.h"
#include "preload/base/pages.h"
#include "preload/file/note.h"
#include "preload/file/rows.h"
#include "preload/python/python_lines.h"
#include "preload/python/python_text.h"
#include "preload/stacks/callpath.h"

enum {
	ROW_LIMIT = 1 << 15,
	ROWS_PER_BLOCK = 64,
	/* of the tables below: entries are words, in which the lower bits have the answer and the
	 * upper ones are compared */
	ROWS_KNOWN = 1 << 12,  /* the row of a code object */
	LINES_KNOWN = 1 << 13, /* the line of an instruction */
	FILES_KNOWN = 1 << 8,  /* the number of a text */
	KEYS = 2 * ROW_LIMIT,  /* the row of a name, file and first line */
	TRIES = 64,
	LINES_SUMMED = 64, /* bytes of a line table that belong to the sum of a code object */
};

#define ANSWER ((UINT64_C(1) << 24) - 1)

struct tables {
	uint64_t rows[ROWS_KNOWN], lines[LINES_KNOWN], keys[KEYS];
	struct {
		uint64_t sum, number; /* the sum last */
	} files[FILES_KNOWN];
};

static struct {
	struct row_array rows;
	void *tables; /* struct tables; mapped with the first code object */
} codes = {
	.rows = {.table = TABLE_python_code,
		 .row_bytes = sizeof(struct row_python_code),
		 .rows_per_block = ROWS_PER_BLOCK,
		 .limit = ROW_LIMIT,
		 .next = 1},
};

void python_code_reset(void)
{
	pages_clear_parts(&codes.tables, 1, sizeof(struct tables));
	row_array_reset(&codes.rows);
}

/* ---- tables of words */

static bool is_of(uint64_t entry, uint64_t sum)
{
	return entry && !((entry ^ sum) & ~ANSWER);
}

/* UINT64_MAX: not known. */
static uint64_t recall(const uint64_t *slot, uint64_t sum)
{
	uint64_t entry = __atomic_load_n(slot, __ATOMIC_RELAXED);

	return is_of(entry, sum) ? entry & ANSWER : UINT64_MAX;
}

static void remember(uint64_t *slot, uint64_t sum, uint64_t answer)
{
	__atomic_store_n(slot, (sum & ~ANSWER) | answer, __ATOMIC_RELAXED);
}

/* ---- a code object */

struct code {
	const struct python_runtime *runtime;
	struct python_memory *memory;
	uint64_t address, name, file, lines, line_bytes;
	uint32_t first_line;
	uint64_t sum; /* of all of it */
};

static bool find_lines(struct code *code)
{
	if (python_word(code->memory, code->lines + PYTHON_TYPE) != code->runtime->bytes_type)
		return false;
	code->line_bytes = python_word(code->memory, code->lines + PYTHON_SIZE);
	if (code->line_bytes > PYTHON_TABLE_MOST)
		code->line_bytes = PYTHON_TABLE_MOST;
	return true;
}

static bool has_lines(const struct code *code, uint64_t bytes)
{
	return bytes && python_may_read(code->memory, code->lines + PYTHON_BYTES, bytes);
}

static uint64_t sum_of_lines(const struct code *code, uint64_t sum)
{
	uint64_t bytes = code->line_bytes < LINES_SUMMED ? code->line_bytes : LINES_SUMMED;

	sum = python_mix(sum, code->lines ^ code->line_bytes << 48);
	return has_lines(code, bytes) ? python_mix_bytes(sum, code->lines + PYTHON_BYTES, bytes)
				      : sum;
}

static bool read_code(struct code *code)
{
	const struct python_layout *layout = code->runtime->layout;
	struct python_memory *memory = code->memory;
	uint64_t at = code->address;

	if (!at || python_word(memory, at + PYTHON_TYPE) != code->runtime->code_type)
		return false;
	code->name = layout->code_qualified ? layout->code_qualified : layout->code_name;
	code->name = python_word(memory, at + code->name);
	code->file = python_word(memory, at + layout->code_file);
	code->first_line = python_half(memory, at + layout->code_first_line);
	code->lines = python_word(memory, at + layout->code_lines);
	uint64_t name = python_text_sum(code->runtime, memory, code->name);
	uint64_t file = python_text_sum(code->runtime, memory, code->file);
	if (!name || !file || !find_lines(code))
		return false;
	code->sum = python_mix(python_mix(python_mix(at, name), file), code->first_line);
	code->sum = sum_of_lines(code, code->sum);
	return true;
}

/* ---- rows */

static uint64_t sum_of_text(const char *text, size_t bytes, uint64_t sum)
{
	for (size_t i = 0; i < bytes; i++)
		sum = python_mix(sum, (uint8_t)text[i]);
	return python_mix(sum, bytes);
}

/* Of several threads each may store the text once. */
static uint64_t number_of_file(struct tables *tables, const char *file, uint64_t sum)
{
	uint64_t *known = &tables->files[hash_slot(sum, FILES_KNOWN)].sum, *number = known + 1;

	if (__atomic_load_n(known, __ATOMIC_ACQUIRE) == sum) {
		uint64_t found = __atomic_load_n(number, __ATOMIC_ACQUIRE);

		if (__atomic_load_n(known, __ATOMIC_RELAXED) == sum)
			return found;
	}
	uint64_t stored = store_string(file);
	__atomic_store_n(known, 0, __ATOMIC_RELEASE);
	__atomic_store_n(number, stored, __ATOMIC_RELEASE);
	__atomic_store_n(known, sum, __ATOMIC_RELEASE);
	return stored;
}

static uint64_t add_row(const struct code *code, const char *name, uint64_t file)
{
	uint32_t number;
	struct row_python_code *row = row_array_add(&codes.rows, &number);
	uint64_t text = row ? store_string(name) : 0;

	if (!text) {
		note_once(NOTE_PYTHON_FULL, 0);
		return 0; /* a row without a name is not there */
	}
	row->file = file;
	row->first_line = code->first_line;
	__atomic_store_n(&row->name, text, __ATOMIC_RELEASE);
	return number;
}

/* Where the key's row is, or its place; NULL: its surroundings are full. */
static uint64_t *seek(struct tables *tables, uint64_t key)
{
	for (uint64_t i = 0; i < TRIES; i++) {
		uint64_t *slot = &tables->keys[(hash_slot(key, KEYS) + i) % KEYS];
		uint64_t entry = __atomic_load_n(slot, __ATOMIC_ACQUIRE);

		if (!entry || is_of(entry, key))
			return slot;
	}
	return NULL;
}

/* By what it is called; 0: there is no room. */
__attribute__((noinline)) static uint64_t row_by_name(struct tables *tables,
						      const struct code *code)
{
	char *name = code->memory->texts->name, *file = code->memory->texts->file;
	size_t name_bytes =
		python_text_copy(code->runtime, code->memory, code->name, name, PYTHON_NAME_BYTES);
	size_t file_bytes =
		python_text_copy(code->runtime, code->memory, code->file, file, PYTHON_FILE_BYTES);
	uint64_t of_file = sum_of_text(file, file_bytes, 1);
	uint64_t key = python_mix(sum_of_text(name, name_bytes, of_file), code->first_line);
	uint64_t *slot = seek(tables, key);
	uint64_t entry = slot ? __atomic_load_n(slot, __ATOMIC_ACQUIRE) : 0;

	if (entry)
		return entry & ANSWER;
	uint64_t row = slot ? add_row(code, name, number_of_file(tables, file, of_file)) : 0;
	if (row)
		__atomic_compare_exchange_n(slot, &entry, (key & ~ANSWER) | row, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	return row;
}

static uint64_t row_of(struct tables *tables, const struct code *code)
{
	uint64_t *slot = &tables->rows[hash_slot(code->sum, ROWS_KNOWN)];
	uint64_t row = recall(slot, code->sum);

	if (likely(row != UINT64_MAX))
		return row;
	row = row_by_name(tables, code);
	if (row)
		remember(slot, code->sum, row);
	return row;
}

/* ---- lines */

/* An instruction before the first one: the frame is being made. */
static uint64_t offset_of(const struct code *code, uint64_t instruction)
{
	const struct python_layout *layout = code->runtime->layout;
	uint64_t begin = layout->code_begin ? code->address + layout->code_begin : 0;

	if (layout->table == PYTHON_RANGES)
		instruction *= 2;
	return instruction >= begin && instruction <= INT32_MAX + begin ? instruction - begin : 0;
}

static uint64_t line_of(struct tables *tables, const struct code *code, uint64_t instruction)
{
	uint64_t offset = offset_of(code, instruction);
	uint64_t sum = python_mix(code->sum, offset);
	uint64_t *slot = &tables->lines[hash_slot(sum, LINES_KNOWN)];
	uint64_t line = recall(slot, sum);

	if (likely(line != UINT64_MAX))
		return line;
	line = code->first_line;
	if (has_lines(code, code->line_bytes))
		line = python_line(code->runtime->layout->table,
				   (const uint8_t *)(code->lines + PYTHON_BYTES), code->line_bytes,
				   code->first_line, offset);
	line = line < ANSWER ? line : ANSWER;
	remember(slot, sum, line);
	return line;
}

uint64_t python_code_place(const struct python_runtime *runtime, struct python_memory *memory,
			   uint64_t address, uint64_t instruction)
{
	struct code code = {.runtime = runtime, .memory = memory, .address = address};
	struct tables *tables = read_code(&code) ? pages_have(&codes.tables, sizeof *tables) : NULL;

	if (!tables)
		return 0;
	uint64_t row = row_of(tables, &code);
	return callpath_python(row, row ? line_of(tables, &code, instruction) : 0);
}
