/* SPDX-License-Identifier: MIT */
/* The routines and variables of an ELF file by address, from .symtab or, without it, .dynsym
 * and .gnu_debugdata; and the entries of the PLT.
 *
 * Sorted once, when the first address is looked up. Names are linkage names and point into the
 * file. */
#pragma once

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_file;

struct symbol {
	uint64_t start;
	uint64_t end; /* behind it */
	const char *name;
	bool is_plt;
	bool is_sized; /* the file states its size; otherwise it ends where the next begins */
	unsigned char bind;
};

struct symbol_table {
	struct symbol *routines;
	size_t routine_count, routine_capacity;
	struct symbol *variables;
	size_t variable_count, variable_capacity;
};

/* The object has the code and the PLT, its debugging file may have the larger symbol table. */
void symbol_table_read(struct symbol_table *table, const struct symbol_file *file);
void symbol_table_clear(struct symbol_table *table);

/* The symbol that covers an address, NULL if none does. If several names have one address, the one
 * by which a user would call it: the one with the fewest leading underscores, then the one with the
 * stronger binding. */
const struct symbol *symbol_table_find_routine(const struct symbol_table *table, uint64_t address);
const struct symbol *symbol_table_find_variable(const struct symbol_table *table, uint64_t address);
