/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/dwarf_variable.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { NESTING_MAX = 64 }; /* of the tree: damaged data shall not exhaust the stack */

struct variable {
	uint64_t address;
	Dwarf_Die die;
};

/* The units that were read so far. */
struct reading {
	bool is_deep; /* into routines */
	bool is_done;
	Dwarf_CU *unit;
	struct keyed_table *by_address; /* struct variable */
};

struct dwarf_variables {
	Dwarf *dwarf;
	struct reading outer, deep;
};

static void start_reading(struct reading *reading, bool is_deep)
{
	*reading = (struct reading){.is_deep = is_deep};
	reading->by_address = keyed_table_create(sizeof(struct variable), sizeof(uint64_t));
}

struct dwarf_variables *dwarf_variables_create(Dwarf *dwarf)
{
	struct dwarf_variables *variables = memory_allocate(1, sizeof *variables);

	variables->dwarf = dwarf;
	start_reading(&variables->outer, false);
	start_reading(&variables->deep, true);
	return variables;
}

void dwarf_variables_destroy(struct dwarf_variables *variables)
{
	if (!variables)
		return;
	keyed_table_destroy(variables->outer.by_address);
	keyed_table_destroy(variables->deep.by_address);
	free(variables);
}

/* False: the variable has no fixed address, or is thread-local. */
static bool find_address(Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute attribute, place;
	Dwarf_Op *operations;
	size_t count;

	if (!dwarf_attr(die, DW_AT_location, &attribute) ||
	    dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1)
		return false;
	if (operations[0].atom == DW_OP_addr) {
		*address = operations[0].number;
		return true;
	}
	/* of a split unit: an index into the table of addresses */
	return (operations[0].atom == DW_OP_addrx || operations[0].atom == DW_OP_GNU_addr_index) &&
	       dwarf_getlocation_attr(&attribute, &operations[0], &place) == 0 &&
	       dwarf_formaddr(&place, address) == 0;
}

static void add_variable(struct reading *reading, Dwarf_Die *die)
{
	struct variable variable = {.die = *die};

	if (!find_address(die, &variable.address) || !variable.address)
		return;
	keyed_table_enter(reading->by_address, &variable, NULL);
}

static bool may_hold_variables(int tag, bool is_deep)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
		return is_deep;
	default:
		return false;
	}
}

static void add_variables(struct reading *reading, Dwarf_Die *parent, int nesting)
{
	Dwarf_Off before = dwarf_dieoffset(parent);
	Dwarf_Die die;

	if (nesting == NESTING_MAX || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		if (dwarf_dieoffset(&die) <= before)
			return; /* damaged: an entry that follows itself */
		before = dwarf_dieoffset(&die);
		if (tag == DW_TAG_variable)
			add_variable(reading, &die);
		if (may_hold_variables(tag, reading->is_deep))
			add_variables(reading, &die, nesting + 1);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static void read_unit(struct reading *reading, Dwarf *dwarf)
{
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die unit, split;

	if (dwarf_get_units(dwarf, reading->unit, &reading->unit, &version, &type, &unit, &split) !=
	    0) {
		reading->is_done = true;
		return;
	}
	if (type == DW_UT_skeleton && split.cu)
		unit = split;
	add_variables(reading, &unit, 0);
}

static bool find(struct reading *reading, Dwarf *dwarf, uint64_t address, Dwarf_Die *die)
{
	const struct variable probe = {.address = address}, *found;

	while (!(found = keyed_table_find(reading->by_address, &probe))) {
		if (reading->is_done)
			return false;
		read_unit(reading, dwarf);
	}
	*die = found->die;
	return true;
}

/* `lock.0` by gcc, `routine.lock` by clang, _ZZ... in the C++ ABI. */
static bool is_routines(const char *symbol)
{
	return strchr(symbol, '.') || !strncmp(symbol, "_ZZ", 3);
}

bool dwarf_variable_find(struct dwarf_variables *variables, uint64_t address, const char *symbol,
			 Dwarf_Die *variable)
{
	if (!variables->dwarf)
		return false;
	return find(is_routines(symbol) ? &variables->deep : &variables->outer, variables->dwarf,
		    address, variable);
}
