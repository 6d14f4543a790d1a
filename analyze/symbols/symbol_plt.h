/* SPDX-License-Identifier: MIT */
/* The entries of the procedure linkage table, which have no symbols: entry i serves relocation i of
 * .rela.plt.
 *
 * That order is the System V ABI's, and holds for x86-64 and AArch64; entries of .plt.got are not
 * named. */
#pragma once

#include <gelf.h>
#include <stdint.h>

/* name: the symbol that is called; it points into the file. */
typedef void (*symbol_plt_visitor)(void *context, uint64_t start, uint64_t size, const char *name);

void symbol_plt_read(Elf *elf, symbol_plt_visitor visit, void *context);
