/* SPDX-License-Identifier: MIT */
/* From an address and its unit to source lines and routines, including those that were inlined
 * there. */
#pragma once

#include "analyze/symbols/dwarf_unit.h"
#include "analyze/symbols/text_pool.h"

/* Deepest chain of inlined routines that is followed. */
enum { DWARF_PLACES_MAX = 64 };

struct dwarf_place {
	const char *routine; /* readable; NULL: not known */
	const char *file;    /* NULL: not known */
	unsigned line;
	unsigned first, last; /* lines that are one with it (dwarf_rows.h); 0: of a call */
	unsigned begin;  /* line in which the routine is declared; 0: unknown, or in another file */
	bool is_mangled; /* the routine's name came from a mangled one, and so is complete */
};

/* Innermost first, the routine itself last. At least one place, of which possibly only the line is
 * known. symbol: as for dwarf_unit_find_routine. */
size_t dwarf_places_find(struct dwarf_unit *unit, struct text_pool *pool, uint64_t address,
			 const char *symbol, struct dwarf_place places[DWARF_PLACES_MAX]);

/* The directory to which relative files of the unit belong; NULL: not known. */
const char *dwarf_unit_directory(struct dwarf_unit *unit);

/* The line of the first row of the line table at the address at which a routine begins: later rows
 * may belong to code that was inlined there. Leaves the place unchanged where nothing is known. */
void dwarf_entry_line(struct dwarf_unit *unit, uint64_t address, struct dwarf_place *place);
