/* SPDX-License-Identifier: MIT */
/* The compilation units of one module that were asked for, each with its routines by address.
 *
 * A unit is found by .debug_aranges, or, where a compiler left that out, by the units' own ranges, listed once. Only units that
 * an address falls into are parsed. DWARF 4 and 5, split units (.dwo) and alternate files (dwz) as far as libdw reads them. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of the code, and the entry (routine or unit) that it belongs to. */
struct dwarf_span {
	uint64_t low;
	uint64_t high; /* behind it */
	Dwarf_Die die;
};

struct dwarf_spans {
	struct dwarf_span *list;
	size_t count;
	size_t capacity;
};

struct dwarf_unit {
	Dwarf_Die lines;    /* has the line table */
	Dwarf_Die entries;  /* has the routines; the same unless split */
	struct dwarf_spans routines;
	bool is_nested_read; /* routines inside routines have been added */
};

struct dwarf_units {
	Dwarf *dwarf;               /* NULL: no debugging information */
	struct dwarf_unit **known;  /* those that were asked for */
	size_t known_count, known_capacity;
	struct dwarf_spans spans;   /* all units by address, once they had to be listed */
	bool is_listed;
};

/* elf NULL: an empty set. */
void dwarf_units_open(struct dwarf_units *units, Elf *elf);
void dwarf_units_close(struct dwarf_units *units);

/* The unit that covers an address, NULL if none. It lives as long as the set. */
struct dwarf_unit *dwarf_units_find(struct dwarf_units *units, uint64_t address);

/* The routine (not inlined) of the unit that covers an address; false: none. */
bool dwarf_unit_find_routine(struct dwarf_unit *unit, uint64_t address, Dwarf_Die *routine);
