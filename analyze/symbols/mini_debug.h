/* SPDX-License-Identifier: MIT */
/* The small symbol table that distributions (Fedora and its relatives) leave in stripped objects:
 * .gnu_debugdata, an ELF file compressed by xz that has what .dynsym has not.
 *
 * Damaged data, and such as would become larger than MINI_DEBUG_MOST, are no data. Context: the
 * analyzer. */
#pragma once

#include <libelf.h>

#define MINI_DEBUG_MOST (64 << 20)

struct mini_debug {
	Elf *elf; /* NULL: there is none */
	void *bytes;
};

/* The section of the stripped object. */
void mini_debug_open(struct mini_debug *mini, Elf_Scn *section);
void mini_debug_close(struct mini_debug *mini);
