/* SPDX-License-Identifier: MIT */
/* The static variables of one module by address, from its debugging information.
 *
 * No index lists them, so units are read one after the other, each once, until the one with the
 * variable is found. Variables inside routines are searched for only if the linkage name says that
 * the variable is one, since that means reading all routines. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct dwarf_variables;

/* dwarf NULL: no variable is ever found. */
struct dwarf_variables *dwarf_variables_create(Dwarf *dwarf);
void dwarf_variables_destroy(struct dwarf_variables *variables);

/* The variable that begins at the address; symbol is its linkage name. False: none is known. */
bool dwarf_variable_find(struct dwarf_variables *variables, uint64_t address, const char *symbol,
			 Dwarf_Die *variable);
