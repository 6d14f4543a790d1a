/* SPDX-License-Identifier: MIT */
/* The source file in which an entry is declared. */
#pragma once

#include <elfutils/libdw.h>

/* As the line table has it; NULL: unknown. (dwarf_decl_file of libdw 0.188 ends the program on
 * split units, and knows nothing of file 0 in DWARF 5.) */
const char *dwarf_declared_in(Dwarf_Die *die);
