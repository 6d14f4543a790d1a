/* SPDX-License-Identifier: MIT */
/* Entries of one routine: declarations, its abstract entry, and one for each copy of its code.
 * Context: pure. */
#pragma once

#include "analyze/symbols/dwarf_unit.h"

#include <elfutils/libdw.h>
#include <stdbool.h>

/* The one entry that all copies of the routine refer to. */
Dwarf_Die dwarf_routine_common(Dwarf_Die die);

/* Fills `common`, of dwarf_routine_common, and `declared`: a definition may refer to a declaration.
 * Both are addresses of entries in memory. */
void dwarf_span_identify(struct dwarf_span *span);

bool dwarf_routine_has_code(Dwarf_Die *die);

/* By which it is linked; NULL: none. */
const char *dwarf_routine_name(Dwarf_Die *die);

/* May other units use it? */
bool dwarf_routine_is_external(Dwarf_Die *die);
