/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/dwarf_unit.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"

#include <dwarf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void dwarf_units_open(struct dwarf_units *units, Elf *elf)
{
	*units = (struct dwarf_units){0};
	if (elf)
		units->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
}

void dwarf_units_close(struct dwarf_units *units)
{
	for (size_t i = 0; i < units->known_count; i++) {
		free(units->known[i]->routines.list);
		free(units->known[i]->outlined);
		keyed_table_destroy(units->known[i]->coded);
		free(units->known[i]);
	}
	free(units->known);
	free(units->spans.list);
	dwarf_end(units->dwarf);
	*units = (struct dwarf_units){0};
}

static void add_ranges(struct dwarf_spans *spans, Dwarf_Die *die)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;

	while ((offset = dwarf_ranges(die, offset, &base, &low, &high)) > 0) {
		if (low == 0 || low >= high)
			continue; /* code that the linker discarded begins at 0 */
		spans->list = memory_grow(spans->list, spans->count, &spans->capacity,
					  sizeof *spans->list);
		spans->list[spans->count++] =
			(struct dwarf_span){.low = low, .high = high, .die = *die};
	}
}

static int compare_spans(const void *left, const void *right)
{
	const struct dwarf_span *a = left, *b = right;

	return a->low < b->low ? -1 : a->low > b->low;
}

static void sort_spans(struct dwarf_spans *spans)
{
	if (spans->count)
		qsort(spans->list, spans->count, sizeof *spans->list, compare_spans);
}

static struct dwarf_span *find_span(const struct dwarf_spans *spans, uint64_t address)
{
	size_t low = 0, high = spans->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (spans->list[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && address < spans->list[low - 1].high ? &spans->list[low - 1] : NULL;
}

static void list_units(struct dwarf_units *units)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die unit;

	while (dwarf_get_units(units->dwarf, cu, &cu, &version, &type, &unit, NULL) == 0)
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			add_ranges(&units->spans, &unit);
	sort_spans(&units->spans);
	units->is_listed = true;
}

static bool find_unit_die(struct dwarf_units *units, uint64_t address, Dwarf_Die *die)
{
	if (dwarf_addrdie(units->dwarf, address, die))
		return true;
	if (!units->is_listed)
		list_units(units);
	const struct dwarf_span *span = find_span(&units->spans, address);
	if (span)
		*die = span->die;
	return span;
}

enum { NESTING_MAX = 64 }; /* of the tree: damaged data shall not exhaust the stack */

static bool may_hold_routines(int tag, enum dwarf_depth depth, bool is_in_routine)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
		return depth >= DWARF_DEPTH_NAMESPACES;
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
		return depth == DWARF_DEPTH_ROUTINES;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
		return is_in_routine; /* a lambda; other classes contain only declarations */
	default:
		return false;
	}
}

static void add_routines(struct dwarf_spans *spans, Dwarf_Die *parent, enum dwarf_depth depth,
			 int nesting)
{
	bool is_in_routine =
		dwarf_tag(parent) == DW_TAG_subprogram || dwarf_tag(parent) == DW_TAG_lexical_block;
	Dwarf_Die die;

	if (nesting == NESTING_MAX || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram)
			add_ranges(spans, &die);
		if (may_hold_routines(tag, depth, is_in_routine))
			add_routines(spans, &die, depth, nesting + 1);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static void read_routines(struct dwarf_unit *unit, enum dwarf_depth depth)
{
	unit->depth = depth;
	unit->routines.count = 0;
	add_routines(&unit->routines, &unit->entries, depth, 0);
	sort_spans(&unit->routines);
}

static struct dwarf_unit *add_unit(struct dwarf_units *units, const Dwarf_Die *lines)
{
	struct dwarf_unit *unit = memory_allocate(1, sizeof *unit);
	Dwarf_Die split;

	unit->lines = *lines;
	unit->entries = *lines;
	if (dwarf_cu_info(lines->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) == 0 && split.cu)
		unit->entries = split;
	read_routines(unit, DWARF_DEPTH_TOP);

	units->known = memory_grow(units->known, units->known_count, &units->known_capacity,
				   sizeof(struct dwarf_unit *));
	return units->known[units->known_count++] = unit;
}

struct dwarf_unit *dwarf_units_find(struct dwarf_units *units, uint64_t address)
{
	Dwarf_Die die;

	if (!units->dwarf || !find_unit_die(units, address, &die))
		return NULL;
	for (size_t i = 0; i < units->known_count; i++)
		if (units->known[i]->lines.cu == die.cu)
			return units->known[i];
	return add_unit(units, &die);
}

static bool is_flat_language(int language)
{
	return language == DW_LANG_C_plus_plus || language == DW_LANG_C_plus_plus_03 ||
	       language == DW_LANG_C_plus_plus_11 || language == DW_LANG_C_plus_plus_14 ||
	       language == DW_LANG_Rust;
}

/* In the C++ ABI, names that are local to a routine (lambdas, members of local classes) begin with
 * _ZZ. */
static enum dwarf_depth deepest(struct dwarf_unit *unit, const char *symbol)
{
	bool is_local = !symbol || strncmp(symbol, "_ZZ", 3) == 0;

	return !is_local && is_flat_language(dwarf_srclang(&unit->lines)) ? DWARF_DEPTH_NAMESPACES
									  : DWARF_DEPTH_ROUTINES;
}

bool dwarf_unit_find_routine(struct dwarf_unit *unit, uint64_t address, const char *symbol,
			     Dwarf_Die *routine)
{
	const struct dwarf_span *span = find_span(&unit->routines, address);

	/* Some have no entry at all: assembler, and what compilers fold or generate. */
	while (!span && unit->depth < deepest(unit, symbol)) {
		read_routines(unit, unit->depth + 1);
		span = find_span(&unit->routines, address);
	}
	if (span)
		*routine = span->die;
	return span;
}

const char *dwarf_declared_in(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die unit;
	Dwarf_Files *files;
	Dwarf_Word file;
	size_t count;

	/* file numbers belong to the unit that the attribute is in */
	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &attribute) ||
	    dwarf_formudata(&attribute, &file) != 0 ||
	    !dwarf_cu_die(attribute.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, &count) != 0 || file >= count)
		return NULL;
	return dwarf_filesrc(files, file, NULL, NULL);
}
