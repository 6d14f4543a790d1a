/* SPDX-License-Identifier: MIT */
/* What the ELF header, the program headers and the dynamic section of an executable say about
 * preloading. */
#pragma once

#include <stdbool.h>

struct elf_facts {
	char obstacle[160]; /* "is statically linked, ...": why nothing can be preloaded, and the
			       remedy; "" if it can */
	char sanitizer[64]; /* the first library that it needs which must come before all others, ""
			       if none */
};

/* False: the file is not readable as ELF, and nothing is known. */
bool elf_facts_read(int file, struct elf_facts *facts);
