/* SPDX-License-Identifier: MIT */
#include "analyze/tables/merged_input.h"

#include "analyze/base/memory.h"
#include "analyze/base/text_set.h"
#include "analyze/tables/merged_columns.h"

#include <stdlib.h>
#include <string.h>

struct merged_input {
	const struct merged_file *file;
	struct text_set *texts;
	struct {
		uint64_t *of; /* of each row of the file; NULL: of none */
		size_t count;
	} numbers[MERGED_TABLE_COUNT];
};

struct merged_input *merged_input_create(const struct merged_file *file, struct text_set *texts)
{
	struct merged_input *input = memory_allocate(1, sizeof *input);

	input->file = file;
	input->texts = texts;
	return input;
}

void merged_input_destroy(struct merged_input *input)
{
	for (size_t i = 0; i < MERGED_TABLE_COUNT; i++)
		free(input->numbers[i].of);
	free(input);
}

const void *merged_input_rows(const struct merged_input *input, enum merged_table table,
			      size_t *count)
{
	return merged_file_rows(input->file, table, count);
}

/* ---- numbers */

void merged_number(struct merged_input *input, enum merged_table table, size_t next,
		   uint64_t number)
{
	if (!input->numbers[table].of) {
		size_t count;

		merged_file_rows(input->file, table, &count);
		input->numbers[table].of = memory_allocate(count, sizeof number);
		input->numbers[table].count = count;
		memset(input->numbers[table].of, 0xff, count * sizeof number);
	}
	input->numbers[table].of[next - 1] = number;
}

uint64_t merged_number_of(const struct merged_input *input, enum merged_table table, uint64_t row)
{
	return row < input->numbers[table].count ? input->numbers[table].of[row] : MERGED_NO_ROW;
}

/* Of what is counted from 1 on. */
static uint64_t number_from_1(const struct merged_input *input, enum merged_table table,
			      uint64_t row)
{
	uint64_t number = row ? merged_number_of(input, table, row - 1) : 0;

	return row && number != MERGED_NO_ROW ? number + 1 : number;
}

/* ---- rows */

static uint64_t keep_text(const struct merged_input *input, uint64_t word)
{
	const char *text;

	memcpy(&text, &word, sizeof text);
	text = text_set_keep(input->texts, text);
	memcpy(&word, &text, sizeof text);
	return word;
}

static uint64_t translate(const struct merged_input *input, const struct merged_column *column,
			  uint64_t word)
{
	switch (column->kind) {
	case MERGED_FLAG:
		return word != 0;
	case MERGED_LINE:
	case MERGED_LAST_LINE:
		return (uint32_t)word;
	case MERGED_GRADE:
		return word < MERGED_WORST_GRADE ? word : MERGED_WORST_GRADE;
	case MERGED_BELOW:
		return word < column->of ? word : MERGED_NO_ROW;
	case MERGED_ROW:
	case MERGED_ROW_OR_NONE:
		return merged_number_of(input, column->of, word);
	case MERGED_FROM_1:
	case MERGED_FROM_1_OR_NONE:
		return number_from_1(input, column->of, word);
	case MERGED_TEXT:
		return keep_text(input, word);
	default:
		return word;
	}
}

static bool is_needed(enum merged_kind kind)
{
	return kind == MERGED_BELOW || kind == MERGED_ROW || kind == MERGED_FROM_1;
}

/* False: the row refers to what is unknown. */
static bool translate_row(const struct merged_input *input, enum merged_table table, char *row)
{
	for (const struct merged_column *column = merged_layouts[table].columns; column->name;
	     column++) {
		uint64_t word;

		memcpy(&word, row, sizeof word);
		word = translate(input, column, word);
		if (word == MERGED_NO_ROW && is_needed(column->kind))
			return false;
		memcpy(row, &word, sizeof word);
		row += merged_column_words(column) * sizeof word;
	}
	return true;
}

bool merged_next(const struct merged_input *input, enum merged_table table, size_t *next, void *row)
{
	size_t count, bytes = merged_layouts[table].row_bytes;
	const char *rows = merged_file_rows(input->file, table, &count);

	while (*next < count) {
		memcpy(row, rows + *next * bytes, bytes);
		++*next;
		if (translate_row(input, table, row))
			return true;
	}
	return false;
}
