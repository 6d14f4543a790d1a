/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/dwarf_place.h"

#include "analyze/symbols/dwarf_outlined.h"
#include "analyze/symbols/dwarf_rows.h"
#include "analyze/symbols/dwarf_unit.h"
#include "analyze/symbols/routine_name.h"

#include <dwarf.h>
#include <stddef.h>
#include <string.h>

/* Code that belongs to no line (line 0) is shown with the line before it. */
static void find_line(struct dwarf_unit *unit, uint64_t address, struct dwarf_place *place)
{
	Dwarf_Lines *lines;
	size_t count;
	int line = 0;
	bool is_end;

	if (dwarf_getsrclines(&unit->lines, &lines, &count) != 0)
		return;
	for (size_t row = dwarf_rows_find(lines, count, address); row < count; row--) {
		Dwarf_Line *found = dwarf_onesrcline(lines, row);

		if (dwarf_lineendsequence(found, &is_end) != 0 || is_end)
			return;
		if (dwarf_lineno(found, &line) == 0 && line > 0) {
			place->file = dwarf_linesrc(found, NULL, NULL);
			place->line = place->file ? (unsigned)line : 0;
			return;
		}
	}
}

void dwarf_entry_line(struct dwarf_unit *unit, uint64_t address, struct dwarf_place *place)
{
	Dwarf_Lines *lines;
	size_t count, row;
	Dwarf_Addr start;
	int line = 0;

	if (dwarf_getsrclines(&unit->lines, &lines, &count) != 0)
		return;
	for (row = dwarf_rows_find(lines, count, address); row && row < count; row--)
		if (dwarf_lineaddr(dwarf_onesrcline(lines, row - 1), &start) != 0 ||
		    start != address)
			break;
	/* the last sequence may end where this one begins */
	for (bool is_end; row < count; row++)
		if (dwarf_lineendsequence(dwarf_onesrcline(lines, row), &is_end) == 0 && !is_end)
			break;
	if (row >= count || dwarf_lineaddr(dwarf_onesrcline(lines, row), &start) != 0 ||
	    start != address || dwarf_lineno(dwarf_onesrcline(lines, row), &line) != 0 || line <= 0)
		return;
	place->file = dwarf_linesrc(dwarf_onesrcline(lines, row), NULL, NULL);
	place->line = place->file ? (unsigned)line : 0;
}

/* The lines that are one with the line of the address. */
static void find_span(struct dwarf_unit *unit, uint64_t address, Dwarf_Die *routine,
		      struct dwarf_place *place)
{
	Dwarf_Lines *lines;
	size_t count, row;
	int line = 0;

	place->first = place->last = place->line;
	if (!place->line || dwarf_getsrclines(&unit->lines, &lines, &count) != 0)
		return;
	row = dwarf_rows_find(lines, count, address);
	if (row < count && dwarf_lineno(dwarf_onesrcline(lines, row), &line) == 0 &&
	    line == (int)place->line) /* else it is code without a line, shown with one before */
		dwarf_rows_span(unit, lines, count, row, routine, &place->first, &place->last);
}

static const char *text_attribute(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

const char *dwarf_unit_directory(struct dwarf_unit *unit)
{
	return text_attribute(&unit->lines, DW_AT_comp_dir);
}

static void name_routine(struct dwarf_unit *unit, Dwarf_Die *entry, struct text_pool *pool,
			 struct dwarf_place *place)
{
	const char *own = text_attribute(entry, DW_AT_name);
	Dwarf_Die users, *die = entry;

	if (!own) /* functions that clang generates have a linkage name only */
		own = text_attribute(entry, DW_AT_linkage_name);
	if (own && dwarf_outlined_is(own) && dwarf_outlined_find(unit, entry, own, &users))
		die = &users;
	const char *linkage = text_attribute(die, DW_AT_linkage_name);

	if (!linkage)
		linkage = text_attribute(die, DW_AT_MIPS_linkage_name);
	place->routine = linkage ? routine_name_demangle(pool, linkage) : NULL;
	place->is_mangled = place->routine;
	if (!place->routine) {
		const char *name = text_attribute(die, DW_AT_name);
		place->routine = name ? routine_name(pool, name) : NULL;
	}
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* (clang gives the unit's own file two numbers, one of them relative to a directory.) */
static void find_begin(Dwarf_Die *routine, struct dwarf_place *place)
{
	const char *file = place->file ? dwarf_declared_in(routine) : NULL;
	int line;

	if (file && !strcmp(last_part(file), last_part(place->file)) &&
	    dwarf_decl_line(routine, &line) == 0 && line > 0)
		place->begin = (unsigned)line;
}

static uint64_t number_attribute(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value = 0;

	dwarf_formudata(dwarf_attr(die, name, &attribute), &value);
	return value;
}

/* Where an inlined routine was called from. */
static void find_call(struct dwarf_unit *unit, Dwarf_Die *inlined, struct dwarf_place *place)
{
	Dwarf_Files *files;
	size_t count;
	uint64_t file = number_attribute(inlined, DW_AT_call_file);

	if (dwarf_getsrcfiles(&unit->entries, &files, &count) != 0 || file >= count)
		return;
	place->line = (unsigned)number_attribute(inlined, DW_AT_call_line);
	place->file = place->line ? dwarf_filesrc(files, file, NULL, NULL) : NULL;
	if (!place->file)
		place->line = 0;
}

static bool is_block(int tag)
{
	return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/* The child block that covers an address. */
static bool find_block(Dwarf_Die *parent, uint64_t address, Dwarf_Die *block)
{
	if (dwarf_child(parent, block) != 0)
		return false;
	do
		if (is_block(dwarf_tag(block)) && dwarf_haspc(block, address) == 1)
			return true;
	while (dwarf_siblingof(block, block) == 0);
	return false;
}

/* The inlined routines around an address, outermost first. */
static size_t find_inlined(Dwarf_Die *routine, uint64_t address, Dwarf_Die *chain, size_t room)
{
	Dwarf_Die parent = *routine, block;
	size_t count = 0;

	for (int depth = 0; depth < 1000 && count < room && find_block(&parent, address, &block);
	     depth++) {
		if (dwarf_tag(&block) == DW_TAG_inlined_subroutine)
			chain[count++] = block;
		parent = block;
	}
	return count;
}

size_t dwarf_places_find(struct dwarf_unit *unit, struct text_pool *pool, uint64_t address,
			 const char *symbol, struct dwarf_place places[DWARF_PLACES_MAX])
{
	Dwarf_Die routine, chain[DWARF_PLACES_MAX - 1];

	places[0] = (struct dwarf_place){0};
	find_line(unit, address, &places[0]);
	if (!dwarf_unit_find_routine(unit, address, symbol, &routine))
		return 1;
	find_span(unit, address, &routine, &places[0]);
	size_t inlined = find_inlined(&routine, address, chain, DWARF_PLACES_MAX - 1);
	for (size_t i = 0; i < inlined; i++) {
		Dwarf_Die *innermost = &chain[inlined - 1 - i];

		name_routine(unit, innermost, pool, &places[i]);
		find_begin(innermost, &places[i]);
		places[i + 1] = (struct dwarf_place){0};
		find_call(unit, innermost, &places[i + 1]);
	}
	name_routine(unit, &routine, pool, &places[inlined]);
	find_begin(&routine, &places[inlined]);
	return inlined + 1;
}
