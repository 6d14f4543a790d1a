/* SPDX-License-Identifier: MIT */
/* The calls in the code of one routine, as debugging information describes those of optimised code:
 * DW_TAG_call_site of DWARF 5, DW_TAG_GNU_call_site before.
 *
 * A tail call is a jump: it leaves no return address, and the frame of its routine is gone. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call_site {
	uint64_t return_address; /* behind the instruction; 0: not told */
	uint64_t at;             /* an address in the instruction */
	Dwarf_Die callee;        /* any entry of the routine, also a declaration */
	bool has_callee;         /* false: called through a pointer */
	bool is_tail;
};

struct call_sites {
	struct call_site *list;
	size_t count, capacity;
	bool is_complete; /* the compiler says that no tail call is missing */
};

/* Begin with a zeroed one. The list is released by the caller. */
void call_sites_read(struct call_sites *sites, Dwarf_Die *routine);
