/* SPDX-License-Identifier: MIT */
/* Functions that a compiler makes of the bodies of OpenMP constructs, and the routine that the user
 * wrote them in.
 *
 * gcc calls them `compute._omp_fn.0`: the rest of the name is the routine's, as the linker knows
 * it. clang up to 16 calls them `.omp_outlined.`, `.omp_outlined..3`, `.omp_task_entry.`,
 * `.omp.reduction.reduction_func`: the routine is the one of the same source file that begins last
 * before them. Newer ones are called `compute.omp_outlined`. */
#pragma once

#include "analyze/symbols/dwarf_unit.h"

/* By its DW_AT_name, or, where it has none, its DW_AT_linkage_name. */
bool dwarf_outlined_is(const char *name);

/* The routine's entry; false: it was not found. Found once for each function. */
bool dwarf_outlined_find(struct dwarf_unit *unit, Dwarf_Die *function, const char *name,
			 Dwarf_Die *routine);
