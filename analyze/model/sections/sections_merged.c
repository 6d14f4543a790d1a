/* SPDX-License-Identifier: MIT */
/* To and from merged runs. Rows are written with the numbers of the accumulator. */
#include "analyze/model/sections/section_longest.h"
#include "analyze/model/sections/section_marks.h"
#include "analyze/model/sections/sections_parts.h"
#include "analyze/tables/merged_input.h"

/* ---- writing */

static void write_rows(struct merged_writer *writer, enum merged_table table,
		       const struct keyed_table *rows)
{
	for (size_t i = 0; i < keyed_table_count(rows); i++)
		merged_writer_add(writer, table, keyed_table_row(rows, i));
}

static void write_lengths(const struct sections_accumulator *accumulator,
			  struct merged_writer *writer)
{
	for (size_t i = 0; i < keyed_table_count(accumulator->sections); i++) {
		const struct section_entry *entry = keyed_table_row(accumulator->sections, i);

		for (size_t bin = 0; bin < HISTOGRAM_BINS; bin++) {
			const struct merged_section_lengths row = {i, bin,
								   entry->lengths.bins[bin]};

			if (row.count)
				merged_writer_add(writer, MERGED_section_lengths, &row);
		}
	}
}

void sections_accumulator_write(const struct sections_accumulator *accumulator,
				struct merged_writer *writer)
{
	write_rows(writer, MERGED_sections, accumulator->sections);
	write_rows(writer, MERGED_section_processes, accumulator->processes);
	write_rows(writer, MERGED_section_levels, accumulator->levels);
	write_lengths(accumulator, writer);
	write_rows(writer, MERGED_section_waits, accumulator->waits);
	section_longest_write(accumulator->longest, writer);
	write_rows(writer, MERGED_marks, accumulator->marks);
}

/* ---- reading */

/* Those around come before those within. */
static void read_sections(struct sections_accumulator *accumulator, struct merged_input *input)
{
	struct merged_sections row;

	for (size_t next = 0; merged_next(input, MERGED_sections, &next, &row);) {
		struct section_entry *into = sections_find(accumulator, &row);

		merged_unite(MERGED_sections, into, &row);
		merged_number(input, MERGED_sections, next, sections_number(accumulator, into));
	}
}

static struct section_entry *entry_at(const struct sections_accumulator *accumulator,
				      uint64_t number)
{
	return keyed_table_row(accumulator->sections, number);
}

static void read_lengths(struct sections_accumulator *accumulator, struct merged_input *input)
{
	struct merged_section_lengths row;

	for (size_t next = 0; merged_next(input, MERGED_section_lengths, &next, &row);)
		if (row.bin < HISTOGRAM_BINS)
			entry_at(accumulator, row.section)->lengths.bins[row.bin] += row.count;
}

/* A row whose key is new is kept as it is. */
static void unite_row(struct keyed_table *rows, enum merged_table table, const void *row)
{
	bool is_new;
	void *into = keyed_table_enter(rows, row, &is_new);

	if (!is_new)
		merged_unite(table, into, row);
}

static void read_longest(struct sections_accumulator *accumulator, struct merged_input *input)
{
	struct merged_section_longest row;

	for (size_t next = 0; merged_next(input, MERGED_section_longest, &next, &row);) {
		struct section_entry *entry = entry_at(accumulator, row.section);
		uint64_t left_ns = section_longest_add(accumulator->longest, &row);

		if (left_ns > entry->unlisted_ns)
			entry->unlisted_ns = left_ns;
	}
}

void sections_accumulator_read(struct sections_accumulator *accumulator, struct merged_input *input)
{
	struct merged_section_processes process;
	struct merged_section_levels level;
	struct merged_section_waits wait;
	struct merged_marks mark;

	read_sections(accumulator, input);
	read_lengths(accumulator, input);
	for (size_t next = 0; merged_next(input, MERGED_section_processes, &next, &process);)
		unite_row(accumulator->processes, MERGED_section_processes, &process);
	for (size_t next = 0; merged_next(input, MERGED_section_levels, &next, &level);)
		unite_row(accumulator->levels, MERGED_section_levels, &level);
	for (size_t next = 0; merged_next(input, MERGED_section_waits, &next, &wait);)
		unite_row(accumulator->waits, MERGED_section_waits, &wait);
	read_longest(accumulator, input);
	for (size_t next = 0; merged_next(input, MERGED_marks, &next, &mark);)
		section_marks_unite(accumulator->marks, &mark);
}
