/* SPDX-License-Identifier: MIT */
/* Routines of an object by their linkage names: all names, also those of which symbol_table keeps
 * another one for the same address.
 *
 * A routine of one file only (a local symbol) is found if it is the only one of its name. The names
 * of an object are read when the first of them is asked for. Context: the analyzer, one thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct symbol_module;
struct symbol_names;

struct symbol_names *symbol_names_create(void);
void symbol_names_destroy(struct symbol_names *names);

bool symbol_names_find(struct symbol_names *names, struct symbol_module *module, const char *name,
		       uint64_t *address);

/* Only if other objects may use it. */
bool symbol_names_find_exported(struct symbol_names *names, struct symbol_module *module,
				const char *name, uint64_t *address);
