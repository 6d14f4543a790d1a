/* SPDX-License-Identifier: MIT */
/* The static variables of one module by address, from its debugging information.
 *
 * No index of a linker has them, so units are read one after the other until the one with the
 * variable is found, each once. Variables that routines have for themselves are looked for only
 * when the linker's name says that the variable is one: that means reading the routines. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct dwarf_variables;

/* dwarf NULL: none is ever found. */
struct dwarf_variables *dwarf_variables_create(Dwarf *dwarf);
void dwarf_variables_destroy(struct dwarf_variables *variables);

/* The variable that begins at the address; symbol is the linker's name for it. False: none is
 * known. */
bool dwarf_variable_find(struct dwarf_variables *variables, uint64_t address, const char *symbol,
			 Dwarf_Die *variable);
