/* SPDX-License-Identifier: MIT */
/* Source texts that debugging information contains (clang's -gembed-source): content type
 * DW_LNCT_LLVM_source of the file table of DWARF 5.
 *
 * libdw reads over it, so the headers of the line tables are read here ("DWARF Debugging
 * Information Format", version 5, 6.2.4 and 6.2.4.1). Context: the analyzer, one thread. */
#pragma once

#include "analyze/symbols/dwarf_unit.h"

/* The text of a file by its path, without "." and ".."; NULL: there is none, what is there cannot be
 * read, or it may not be the text of that file: units have different ones, or it was preprocessed.
 * It lives as long as the units. */
const char *dwarf_embedded_find(struct dwarf_units *units, const char *path);
