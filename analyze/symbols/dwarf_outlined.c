/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/dwarf_outlined.h"

#include "analyze/memory.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { NESTING_MAX = 64 }; /* of the tree: damaged data shall not exhaust the stack */

static const char *const suffixes[] = {"._omp_fn.", "._omp_cpyfn.", ".omp_outlined"};

/* Length of the routine's own name; 0: the name says nothing about it. */
static size_t stem_length(const char *name)
{
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		const char *suffix = strstr(name, suffixes[i]);

		if (suffix)
			return (size_t)(suffix - name);
	}
	return 0;
}

bool dwarf_outlined_is(const char *name)
{
	return stem_length(name) || !strncmp(name, ".omp_", 5) || !strncmp(name, ".omp.", 5);
}

/* ---- routines of a unit, one after the other */

struct search {
	const char *stem; /* NULL: by line */
	size_t stem_length;
	int line;
	uint64_t file;
	Dwarf_Die *found;
	int found_line;
	bool is_found;
};

static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

/* The number of the source file: 0 is a file in DWARF 5, which libdw 0.188 does not know. */
static uint64_t file_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file = UINT64_MAX;

	dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attribute), &file);
	return file;
}

static bool is_stem(const struct search *search, const char *name)
{
	return name && strlen(name) == search->stem_length &&
	       !strncmp(name, search->stem, search->stem_length);
}

static void try_name(struct search *search, Dwarf_Die *die)
{
	const char *linkage = text_of(die, DW_AT_linkage_name);

	if (search->is_found || !is_stem(search, linkage ? linkage : dwarf_diename(die)))
		return;
	*search->found = *die;
	search->is_found = true;
}

static void try_line(struct search *search, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	int line = 0;

	if (!name || dwarf_outlined_is(name) || dwarf_decl_line(die, &line) != 0 ||
	    line > search->line || file_of(die) != search->file)
		return;
	if (search->is_found && line <= search->found_line)
		return;
	*search->found = *die;
	search->found_line = line;
	search->is_found = true;
}

static void search_routines(struct search *search, Dwarf_Die *parent, int nesting)
{
	Dwarf_Die die;

	if (nesting == NESTING_MAX || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram && !dwarf_hasattr(&die, DW_AT_declaration)) {
			if (search->stem)
				try_name(search, &die);
			else
				try_line(search, &die);
		}
		if (tag == DW_TAG_subprogram || tag == DW_TAG_namespace || tag == DW_TAG_module ||
		    tag == DW_TAG_lexical_block || tag == DW_TAG_structure_type ||
		    tag == DW_TAG_class_type)
			search_routines(search, &die, nesting + 1);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* gfortran nests the entry in that of the routine: the main program has another name there than for
 * the linker. */
static bool find_around(Dwarf_Die *function, Dwarf_Die *routine)
{
	Dwarf_Die *scopes = NULL;
	int count = dwarf_getscopes_die(function, &scopes);
	bool is_found = false;

	for (int i = 1; i < count && !is_found; i++) {
		const char *name = dwarf_diename(&scopes[i]);

		is_found = dwarf_tag(&scopes[i]) == DW_TAG_subprogram &&
			   !(name && dwarf_outlined_is(name));
		if (is_found)
			*routine = scopes[i];
	}
	free(scopes);
	return is_found;
}

static bool find(struct dwarf_unit *unit, Dwarf_Die *function, const char *name, Dwarf_Die *routine)
{
	struct search search = {.found = routine, .file = file_of(function)};

	search.stem_length = stem_length(name);
	if (search.stem_length)
		search.stem = name;
	else if (dwarf_decl_line(function, &search.line) != 0)
		return false;
	if (find_around(function, routine))
		return true;
	search_routines(&search, &unit->entries, 0);
	return search.is_found;
}

bool dwarf_outlined_find(struct dwarf_unit *unit, Dwarf_Die *function, const char *name,
			 Dwarf_Die *routine)
{
	Dwarf_Off offset = dwarf_dieoffset(function);
	struct dwarf_outlined *known;

	for (size_t i = 0; i < unit->outlined_count; i++) {
		known = &unit->outlined[i];
		if (known->function != offset)
			continue;
		*routine = known->routine;
		return known->is_found;
	}
	unit->outlined = memory_grow(unit->outlined, unit->outlined_count, &unit->outlined_capacity,
				     sizeof *unit->outlined);
	known = &unit->outlined[unit->outlined_count++];
	known->function = offset;
	known->is_found = find(unit, function, name, &known->routine);
	*routine = known->routine;
	return known->is_found;
}
