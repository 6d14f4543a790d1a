/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/dwarf_rows.h"

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

/* ---- lines that are one */

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

/* Is there code of the line between two addresses? */
static bool has_code(Dwarf_Lines *lines, size_t count, const struct row *like, Dwarf_Addr low,
		     Dwarf_Addr high)
{
	struct row row, next;

	for (size_t i = dwarf_rows_find(lines, count, low); i + 1 < count; i++) {
		int line = 0;

		if (dwarf_lineaddr(dwarf_onesrcline(lines, i), &row.address) != 0 ||
		    row.address >= high)
			return false;
		if (dwarf_lineno(dwarf_onesrcline(lines, i), &line) != 0 || line != like->line ||
		    !read_row(lines, i, &row) || row.is_end || !are_in_one_file(&row, like))
			continue;
		if (dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &next.address) == 0 &&
		    next.address > row.address)
			return true;
	}
	return false;
}

static bool has_code_in(Dwarf_Lines *lines, size_t count, const struct row *like,
			Dwarf_Die *routine)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;

	while ((offset = dwarf_ranges(routine, offset, &base, &low, &high)) > 0)
		if (has_code(lines, count, like, low, high))
			return true;
	return false;
}

/* The first of the rows at the address of `row`. */
static size_t first_at(Dwarf_Lines *lines, size_t row, Dwarf_Addr address)
{
	struct row before;

	while (row && read_row(lines, row - 1, &before) && !before.is_end &&
	       before.address == address)
		row--;
	return row;
}

void dwarf_rows_span(Dwarf_Lines *lines, size_t count, size_t row, Dwarf_Die *routine,
		     unsigned *first, unsigned *last)
{
	struct row own, other;
	size_t begin;
	bool has_grown = read_row(lines, row, &own) && own.line > 0;

	if (!has_grown)
		return;
	begin = first_at(lines, row, own.address);
	while (has_grown) {
		has_grown = false;
		for (size_t i = begin; i < row; i++) {
			if (!read_row(lines, i, &other) || !are_in_one_file(&own, &other) ||
			    (other.line + 1 != (int)*first && other.line - 1 != (int)*last) ||
			    other.line <= 0 || has_code_in(lines, count, &other, routine))
				continue;
			*(other.line < (int)*first ? first : last) = (unsigned)other.line;
			has_grown = true;
		}
	}
}
