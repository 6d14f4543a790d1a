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
struct symbol_place;

struct symbol_answer {
	uint64_t address;
	struct symbol_place *places; /* NULL: this slot is free */
	size_t count;
};

struct symbol_module {
	struct text_pool *pool;
	const char *directory; /* the user's, or NULL */
	const char *path;
	const char *build_id;
	const char *short_name; /* the last part of path */
	struct symbol_file file;
	struct dwarf_units units;
	struct dwarf_variables *variables; /* NULL: not asked for yet */
	struct symbol_table table;
	bool is_open, has_units;
	/* open addressing, at most half full; answer_slots is a power of two */
	struct symbol_answer *answers;
	size_t answer_count, answer_slots;
	struct keyed_table *data_names; /* struct data_name; NULL: not asked for yet */
};

/* The files, and the symbols in them. */
void symbol_module_open(struct symbol_module *module);

/* The unit that covers an address; NULL: none does. */
struct dwarf_units *symbol_module_units(struct symbol_module *module);
struct dwarf_unit *symbol_module_unit(struct symbol_module *module, uint64_t address);
