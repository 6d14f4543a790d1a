/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/dwarf_outlined.h"

#include "analyze/base/memory.h"

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

/* Prefixes of names without the routine's name, or with more than that. */
static const char *const prefixes[] = {".omp_", ".omp.", "__omp_offloading_"};

bool dwarf_outlined_is(const char *name)
{
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return stem_length(name);
}

/* ---- routines of a unit, one after the other */

struct search {
	const char *stem; /* NULL: searched by line */
	size_t stem_length;
	int line;
	Dwarf_Files *files; /* of the unit; NULL: none */
	const char *file;
	Dwarf_Die *found;
	int found_line;
	bool is_found;
};

static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

/* (In DWARF 5 the number 0 is a file, which dwarf_decl_file of libdw 0.188 does not know.) */
static const char *file_of(const struct search *search, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file;

	if (!search->files ||
	    dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attribute), &file) != 0)
		return NULL;
	return dwarf_filesrc(search->files, file, NULL, NULL);
}

/* clang gives the unit's own file two numbers, one of them relative to a directory. */
static bool is_same_file(const struct search *search, Dwarf_Die *die)
{
	const char *file = file_of(search, die);
	size_t length = file ? strlen(file) : 0;
	size_t wanted = search->file ? strlen(search->file) : 0;
	const char *longer = length > wanted ? file : search->file;
	const char *shorter = length > wanted ? search->file : file;
	size_t more = length > wanted ? length - wanted : wanted - length;

	return length && wanted && !strcmp(longer + more, shorter) &&
	       (!more || longer[more - 1] == '/');
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
	    line > search->line || (search->is_found && line <= search->found_line) ||
	    !is_same_file(search, die))
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

/* gfortran nests the entry in that of the routine: there the main program has another name than its
 * linkage name. */
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
	struct search search = {.found = routine};
	size_t file_count;

	if (dwarf_getsrcfiles(&unit->entries, &search.files, &file_count) != 0)
		search.files = NULL;
	search.file = file_of(&search, function);
	search.stem_length = stem_length(name);
	if (search.stem_length)
		search.stem = name;
	else if (dwarf_decl_line(function, &search.line) != 0)
		return false;
	if (search.stem && find_around(function, routine))
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
