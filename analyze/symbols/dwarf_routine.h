/* SPDX-License-Identifier: MIT */
/* Entries of one routine: declarations, its abstract entry, and one for each copy of its code.
 * Context: pure. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>

/* The one entry that all copies of the routine refer to. */
Dwarf_Die dwarf_routine_common(Dwarf_Die die);

/* Is it code of the routine with that entry? The definition may refer to a declaration. */
bool dwarf_routine_is_of(Dwarf_Die definition, const Dwarf_Die *entry);

bool dwarf_routine_has_code(Dwarf_Die *die);

/* By which it is linked; NULL: none. */
const char *dwarf_routine_name(Dwarf_Die *die);

/* May other units use it? */
bool dwarf_routine_is_external(Dwarf_Die *die);
