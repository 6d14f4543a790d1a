/* SPDX-License-Identifier: MIT */
/* The part of a variable that lies at an offset, in the words of the source: `[7].lock`.
 *
 * The path leads through elements of arrays and members of structs, classes and unions to the
 * innermost one whose type the user wrote: it ends at types of the system (std::mutex,
 * pthread_mutex_t), whose members mean nothing to the user. Of a union the first member that has no
 * padding at the offset is taken. Base classes and members without a name add nothing to the path.
 * The types may be damaged, and even contain themselves. */
#pragma once

#include <elfutils/libdw.h>
#include <stdint.h>

/* Released by the caller. NULL: the types do not tell. "": the offset is 0 and the variable as a
 * whole is meant. Where the path ends before the offset is reached, the rest is added:
 * `[7].queue+8`. */
char *dwarf_member_path(Dwarf_Die *variable, uint64_t offset);
