/* SPDX-License-Identifier: MIT */
/* What lies at a place in a variable, in the words of the source: `[7].lock`.
 *
 * Elements of arrays and members of structs, classes and unions down to the user's innermost one:
 * what a type of the system is made of (std::mutex, pthread_mutex_t) is nobody's business, so the
 * path ends there. Of a union the first member that has no padding there is taken. Base classes and
 * members without a name add nothing. The types may be damaged, and even contain themselves. */
#pragma once

#include <elfutils/libdw.h>
#include <stdint.h>

/* Released by the caller; NULL: the types do not tell, or it is no part ("" if offset is 0 and the
 * variable is all of what is there). Where the path ends before the place, it says how far:
 * `[7].queue+8`. */
char *dwarf_member_path(Dwarf_Die *variable, uint64_t offset);
