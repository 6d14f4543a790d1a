/* SPDX-License-Identifier: MIT */
/* What is known of one loaded object, for the files of this room that answer questions about it.
 *
 * Everything is opened when it is first needed: debugging information may have to be inflated.
 * Context: the analyzer, one thread. */
#pragma once

#include "analyze/symbols/dwarf_unit.h"
#include "analyze/symbols/symbol_file.h"
#include "analyze/symbols/symbol_table.h"
#include "analyze/symbols/text_pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keyed_table;
struct name_answers;
struct name_cache;
struct symbol_place;

struct symbol_answer {
	uint64_t address;
	struct symbol_place *places; /* NULL: this slot is free */
	size_t count;
};

struct symbol_module {
	struct text_pool *pool;
	const char *directory;   /* the user's, or NULL */
	const char *const *kept; /* of runs; ended by NULL */
	const char *path;
	const char *build_id;
	const char *short_name; /* the last part of path */
	struct symbol_file file;
	struct dwarf_units units;
	struct dwarf_variables *variables; /* NULL: not asked for yet */
	struct symbol_table table;
	struct name_cache *cache; /* NULL: its names are not kept */
	bool is_open, has_table, has_units, has_cache;
	/* open addressing, at most half full; answer_slots is a power of two */
	struct symbol_answer *answers;
	size_t answer_count, answer_slots;
	struct keyed_table *data_names; /* struct data_name; NULL: not asked for yet */
};

/* The files. */
void symbol_module_open(struct symbol_module *module);
/* is_complete: its names may be kept, as nothing is missing that they depend on. */
void symbol_module_close(struct symbol_module *module, bool is_complete);

/* The symbols in them. */
const struct symbol_table *symbol_module_table(struct symbol_module *module);

/* The unit that covers an address; NULL: none does. */
struct dwarf_units *symbol_module_units(struct symbol_module *module);
struct dwarf_unit *symbol_module_unit(struct symbol_module *module, uint64_t address);

/* What names of it depend on: its path, and which files were found. Released by the caller. */
char *symbol_module_identity(struct symbol_module *module);

/* Names of it that are kept from one report to the next. NULL: none are, as looking them up takes
 * no time that a user would notice, or the object cannot be told from another one. */
struct name_answers *symbol_module_answers(struct symbol_module *module);
