/* SPDX-License-Identifier: MIT */
/* The routines and variables of an ELF file by address, from .symtab or, without it, .dynsym; and
 * PLT entries.
 *
 * Sorted once, when the first address is asked for. Names point into the file, as the linker knows
 * them. */
#pragma once

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* elf has the code and the PLT, debug perhaps the fuller table; either may be NULL. */
void symbol_table_read(struct symbol_table *table, Elf *elf, Elf *debug);
void symbol_table_clear(struct symbol_table *table);

/* The symbol that covers an address, NULL if none. Of several names at one place the one that a
 * user would call it by: the one with the fewest underscores in front, then the more global one. */
const struct symbol *symbol_table_find_routine(const struct symbol_table *table, uint64_t address);
const struct symbol *symbol_table_find_variable(const struct symbol_table *table, uint64_t address);
