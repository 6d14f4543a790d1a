/* SPDX-License-Identifier: MIT */
/* Rows of a line table: the one that has an address, and the lines that are one with its line.
 *
 * A compiler that left nothing of a statement but the place where it begins writes a row of length
 * zero for it, at the address of the code that follows: `return x;` and the `}` behind it, a
 * condition and what it guards, a statement over several lines. What is sampled there is at the
 * last row's line, and as much of the others'. */
#pragma once

#include "analyze/symbols/dwarf_unit.h"

/* Index of the last row at or before an address, SIZE_MAX if there is none. */
size_t dwarf_rows_find(Dwarf_Lines *lines, size_t count, uint64_t address);

/* The lines that are one with that of the row: they have rows of length zero in front of it at the
 * same address, adjoin it and each other in the same file, and the routine has no code of theirs.
 * At first both are the line. Takes the time of the rows at the address, and once for each routine
 * that of its rows: which lines it has code of is kept in the unit. */
void dwarf_rows_span(struct dwarf_unit *unit, Dwarf_Lines *lines, size_t count, size_t row,
		     Dwarf_Die *routine, unsigned *first, unsigned *last);
