/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

/* A place in the source. routine is demangled and never NULL: without a name it is
 * "libfoo.so+0x12ab", with the address at which the routine begins if the unwind information tells,
 * else the address itself. If file is NULL, line is 0. file is a path without "." and "..",
 * absolute if the debugging information has the directory of the compilation. */
struct symbol_place {
	const char *routine;
	const char *file;
	unsigned line;
	unsigned first, last; /* lines that are one with it (dwarf_rows.h); 0: not known */
	unsigned begin;       /* line in which the routine is declared in that file; 0: unknown */
	bool is_inlined;      /* this routine was inlined into the next place */
};
