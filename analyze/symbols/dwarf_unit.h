/* SPDX-License-Identifier: MIT */
/* The compilation units of one module that addresses fell into, each with its routines by address.
 *
 * A unit is found by .debug_aranges or, where a compiler left that out, by the units' own ranges,
 * which are listed once. Only units that an address falls into are parsed. DWARF 4 and 5, split
 * units (.dwo) and alternate files (dwz) as far as libdw reads them. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keyed_table;

/* A range of addresses, and the entry (routine or unit) that it belongs to. */
struct dwarf_span {
	uint64_t low;
	uint64_t high; /* behind it */
	Dwarf_Die die;
	/* of a routine, once it was asked for: dwarf_span_identify */
	const void *common, *declared;
};

struct dwarf_spans {
	struct dwarf_span *list;
	size_t count;
	size_t capacity;
};

/* How deep in a unit's tree routines are searched for. Each step costs several times as much as the
 * one before, and most compilers put nearly all routines at the top, so the next step is taken only
 * when an address was not found. */
enum dwarf_depth {
	DWARF_DEPTH_TOP,        /* children of the unit, as with gcc */
	DWARF_DEPTH_NAMESPACES, /* in namespaces and modules: clang, Fortran, Rust */
	DWARF_DEPTH_ROUTINES,   /* in other routines: GNU C, Fortran's CONTAINS, C++ lambdas */
};

/* An outlined function of an OpenMP construct, and the user's routine. */
struct dwarf_outlined {
	Dwarf_Off function;
	Dwarf_Die routine;
	bool is_found;
};

struct dwarf_unit {
	Dwarf_Die lines;   /* has the line table */
	Dwarf_Die entries; /* has the routines; the same unless split */
	struct dwarf_spans routines;
	enum dwarf_depth depth;          /* how deep routines were searched for so far */
	struct dwarf_outlined *outlined; /* those that were asked for: dwarf_outlined.h */
	size_t outlined_count, outlined_capacity;
	struct keyed_table *coded; /* lines that routines have code of: dwarf_rows.c; or NULL */
};

struct dwarf_units {
	Dwarf *dwarf;              /* NULL: no debugging information */
	struct dwarf_unit **known; /* those that were asked for */
	size_t known_count, known_capacity;
	struct dwarf_spans spans; /* all units by address, once they had to be listed */
	bool is_listed;
	bool has_no_sources; /* no line table contains texts of source files */
};

/* elf NULL: an empty set. */
void dwarf_units_open(struct dwarf_units *units, Elf *elf);
void dwarf_units_close(struct dwarf_units *units);

/* The unit that covers an address, NULL if none. It lives as long as the set. */
struct dwarf_unit *dwarf_units_find(struct dwarf_units *units, uint64_t address);

/* The routine (not an inlined one) of the unit that covers an address; false: none does. symbol is
 * the linkage name at the address, or NULL: it tells whether C++ code may lie inside another
 * routine, which saves a search for code that has no entry. */
bool dwarf_unit_find_routine(struct dwarf_unit *unit, uint64_t address, const char *symbol,
			     Dwarf_Die *routine);

/* The source file in which an entry is declared, as the line table has it; NULL: unknown.
 * (dwarf_decl_file of libdw 0.188 ends the program on split units, and knows nothing of file 0 in
 * DWARF 5.) */
const char *dwarf_declared_in(Dwarf_Die *die);
