/* SPDX-License-Identifier: MIT */
/* Outlined functions, which a compiler makes of the bodies of OpenMP constructs, and the routine in
 * which the user wrote them.
 *
 * gcc calls them `compute._omp_fn.0`: the first part is the linkage name of the routine. clang up
 * to 16 calls them `.omp_outlined.`, `.omp_outlined..3`, `.omp_task_entry.`,
 * `.omp.reduction.reduction_func`: the routine is the last one of the same source file that begins
 * before them. Later versions call them `compute.omp_outlined`. */
#pragma once

#include "analyze/symbols/dwarf_unit.h"

/* By its DW_AT_name, or, where it has none, its DW_AT_linkage_name. */
bool dwarf_outlined_is(const char *name);

/* The routine's entry; false: it was not found. Found once for each function. */
bool dwarf_outlined_find(struct dwarf_unit *unit, Dwarf_Die *function, const char *name,
			 Dwarf_Die *routine);
