/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/dwarf_rows.h"

#include "analyze/base/key_hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"

#include <stdlib.h>
#include <string.h>

size_t dwarf_rows_find(Dwarf_Lines *lines, size_t count, uint64_t address)
{
	size_t low = 0, high = count;
	Dwarf_Addr start;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (dwarf_lineaddr(dwarf_onesrcline(lines, middle), &start) == 0 &&
		    start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

/* ---- one row */

struct row_list {
	Dwarf_Lines *lines;
	size_t count;
};

struct row {
	Dwarf_Addr address;
	const char *file;
	int line;
	bool is_end; /* of a sequence: no row */
};

static bool read_row(Dwarf_Lines *lines, size_t number, struct row *row)
{
	Dwarf_Line *line = dwarf_onesrcline(lines, number);

	row->file = dwarf_linesrc(line, NULL, NULL);
	return row->file && dwarf_lineaddr(line, &row->address) == 0 &&
	       dwarf_lineno(line, &row->line) == 0 &&
	       dwarf_lineendsequence(line, &row->is_end) == 0;
}

static bool are_in_one_file(const struct row *a, const struct row *b)
{
	return a->file == b->file || !strcmp(a->file, b->file);
}

/* ---- lines that a routine has code of */

/* A routine is read once, as a long one has as many addresses that are asked for as lines. */
struct coded {
	const void *routine;
	const char *file; /* NULL: the routine has been read */
	int line;
};

static unsigned hash_coded(const void *row)
{
	const struct coded *coded = row;

	return hash_bytes(&coded->line, sizeof coded->line,
			  hash_bytes(&coded->routine, sizeof coded->routine, 0));
}

static bool are_coded_equal(const void *a, const void *b)
{
	const struct coded *one = a, *other = b;

	return one->routine == other->routine && one->line == other->line &&
	       (one->file == other->file ||
		(one->file && other->file && !strcmp(one->file, other->file)));
}

/* The lines of the rows with a length between two addresses. */
static void read_range(struct keyed_table *table, const void *routine, const struct row_list *list,
		       Dwarf_Addr low, Dwarf_Addr high)
{
	size_t first = dwarf_rows_find(list->lines, list->count, low);
	Dwarf_Addr begin, end;
	struct row row;

	for (size_t i = first == SIZE_MAX ? 0 : first; i + 1 < list->count; i++) {
		if (dwarf_lineaddr(dwarf_onesrcline(list->lines, i), &begin) != 0 || begin >= high)
			return;
		if (dwarf_lineaddr(dwarf_onesrcline(list->lines, i + 1), &end) == 0 &&
		    end > begin && read_row(list->lines, i, &row) && !row.is_end)
			keyed_table_enter(table, &(struct coded){routine, row.file, row.line},
					  NULL);
	}
}

static void read_routine(struct keyed_table *table, const struct row_list *list, Dwarf_Die *routine)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;

	while ((offset = dwarf_ranges(routine, offset, &base, &low, &high)) > 0)
		read_range(table, routine->addr, list, low, high);
}

static bool has_code(struct dwarf_unit *unit, const struct row_list *list, Dwarf_Die *routine,
		     const char *file, int line)
{
	bool is_new;

	if (!unit->coded)
		unit->coded =
			keyed_table_create_by(sizeof(struct coded), hash_coded, are_coded_equal);
	keyed_table_enter(unit->coded, &(struct coded){routine->addr, NULL, 0}, &is_new);
	if (is_new)
		read_routine(unit->coded, list, routine);
	return keyed_table_find(unit->coded, &(struct coded){routine->addr, file, line});
}

/* ---- lines that are one */

/* The first of the rows at the address of `row`. */
static size_t first_at(Dwarf_Lines *lines, size_t row, Dwarf_Addr address)
{
	struct row before;

	while (row && read_row(lines, row - 1, &before) && !before.is_end &&
	       before.address == address)
		row--;
	return row;
}

static int compare_lines(const void *left, const void *right)
{
	const int *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* The lines of rows in a file, sorted; returns how many. */
static size_t lines_of(const struct row_list *list, size_t begin, size_t end,
		       const struct row *like, int *found)
{
	struct row row;
	size_t count = 0;

	for (size_t i = begin; i < end; i++)
		if (read_row(list->lines, i, &row) && row.line > 0 && are_in_one_file(like, &row))
			found[count++] = row.line;
	if (count)
		qsort(found, count, sizeof *found, compare_lines);
	return count;
}

void dwarf_rows_span(struct dwarf_unit *unit, Dwarf_Lines *lines, size_t count, size_t row,
		     Dwarf_Die *routine, unsigned *first, unsigned *last)
{
	const struct row_list list = {lines, count};
	struct row own;
	size_t begin;

	if (!read_row(lines, row, &own) || own.line <= 0)
		return;
	begin = first_at(lines, row, own.address);
	if (begin == row)
		return;
	int *other = memory_allocate(row - begin, sizeof *other);
	size_t others = lines_of(&list, begin, row, &own, other);

	/* one pass in each direction, as they are sorted */
	for (size_t i = 0; i < others; i++)
		if (other[i] - 1 == (int)*last &&
		    !has_code(unit, &list, routine, own.file, other[i]))
			*last = (unsigned)other[i];
	for (size_t i = others; i--;)
		if (other[i] + 1 == (int)*first &&
		    !has_code(unit, &list, routine, own.file, other[i]))
			*first = (unsigned)other[i];
	free(other);
}
