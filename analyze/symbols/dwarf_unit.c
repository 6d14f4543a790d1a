/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/dwarf_unit.h"

#include "analyze/memory.h"

#include <dwarf.h>
#include <stdlib.h>

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
			continue; /* what the linker threw away begins at 0 */
		spans->list = memory_grow(spans->list, spans->count, &spans->capacity, sizeof *spans->list);
		spans->list[spans->count++] = (struct dwarf_span){low, high, *die};
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

/* What may hold routines besides the unit itself: C++ writes them into namespaces, Fortran into modules. */
static bool is_scope_of_routines(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

enum { DEPTH_MAX = 64 }; /* of the tree: damaged data shall not exhaust the stack */

static void add_routines(struct dwarf_spans *spans, Dwarf_Die *parent, bool into_routines, int depth)
{
	Dwarf_Die die;

	if (depth == DEPTH_MAX || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram)
			add_ranges(spans, &die);
		if (is_scope_of_routines(tag) ||
		    (into_routines && (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)))
			add_routines(spans, &die, into_routines, depth + 1);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static struct dwarf_unit *add_unit(struct dwarf_units *units, const Dwarf_Die *lines)
{
	struct dwarf_unit *unit = memory_allocate(1, sizeof *unit);
	Dwarf_Die split;

	unit->lines = *lines;
	unit->entries = *lines;
	if (dwarf_cu_info(lines->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) == 0 && split.cu)
		unit->entries = split;
	add_routines(&unit->routines, &unit->entries, false, 0);
	sort_spans(&unit->routines);

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

/* Routines within routines (Fortran's CONTAINS, GNU C) are looked for only where an address finds no other. */
bool dwarf_unit_find_routine(struct dwarf_unit *unit, uint64_t address, Dwarf_Die *routine)
{
	const struct dwarf_span *span = find_span(&unit->routines, address);

	if (!span && !unit->is_nested_read) {
		unit->routines.count = 0;
		add_routines(&unit->routines, &unit->entries, true, 0);
		sort_spans(&unit->routines);
		unit->is_nested_read = true;
		span = find_span(&unit->routines, address);
	}
	if (span)
		*routine = span->die;
	return span;
}
