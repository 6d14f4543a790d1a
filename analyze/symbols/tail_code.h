/* SPDX-License-Identifier: MIT */
/* Jumps out of a routine's code that debugging information does not tell of.
 *
 * clang says that it describes all calls of a routine, but leaves out those of routines without an
 * entry of their own, as most of a C++ library's are. So the code is searched for bytes that may be
 * such a jump. Bytes that only look like one are found as well: a jump too many leaves a way open,
 * which is safe. x86-64; for other processors the compiler is believed. Context: pure. */
#pragma once

#include "analyze/symbols/call_sites.h"
#include "analyze/symbols/symbol_file.h"

/* at: the instruction; target: 0: not known. */
typedef void tail_code_visit(void *data, uint64_t at, uint64_t target);

/* routine: the entry of the code that the calls were read from. False: it cannot be read. */
bool tail_code_find(const struct symbol_file *file, Dwarf_Die *routine,
		    const struct call_sites *calls, tail_code_visit *visit, void *data);
