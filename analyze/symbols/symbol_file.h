/* SPDX-License-Identifier: MIT */
/* The files that describe a loaded object: the object itself, and its debugging information if that
 * is in a separate file.
 *
 * A file is used only if its build-id is that of the profile; if the profile has none, the path
 * decides. Debug files are searched for by build-id below the user's directory, then among what
 * debuginfod has fetched (debuginfod_tree.h), then where the system keeps them (debug_search.h). */
#pragma once

#include "analyze/symbols/mini_debug.h"
#include "analyze/symbols/text_pool.h"

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_file {
	int descriptor; /* of the object, -1: none */
	Elf *elf;       /* the object; NULL if it was not found (debug may exist all the same) */
	int debug_descriptor;
	Elf *debug; /* the file with .debug_info or at least .symtab; may be elf itself; NULL:
		       neither was found */
	struct mini_debug mini; /* its symbols, where neither has .symtab */
	const char *problem;    /* why no file, or the wrong one, was found; NULL: no problem */
};

/* directory: the user's, or NULL. Texts go to the pool. */
void symbol_file_open(struct symbol_file *file, struct text_pool *pool, const char *directory,
		      const char *path, const char *build_id);
void symbol_file_close(struct symbol_file *file);

/* The section of that name or, when name is NULL, of that type; NULL: none. header is filled. */
Elf_Scn *symbol_file_section(Elf *elf, const char *name, GElf_Word type, GElf_Shdr *header);

/* The object is a program, not a library: it names its dynamic linker. */
bool symbol_file_is_program(const struct symbol_file *file);

/* Calls `look` with the name of each library that the object asks for, until it says no. False: it
 * did, or the object cannot be read. */
bool symbol_file_each_needed(const struct symbol_file *file,
			     bool (*look)(void *data, const char *name), void *data);

/* Machine code of the object around an address, as the file has it. */
struct symbol_code {
	const unsigned char *bytes;
	size_t size, at; /* at: offset of the address */
};

/* False: none, or not of that machine (EM_...). */
bool symbol_file_code(const struct symbol_file *file, GElf_Half machine, uint64_t address,
		      struct symbol_code *code);
