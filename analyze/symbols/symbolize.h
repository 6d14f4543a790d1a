/* SPDX-License-Identifier: MIT */
/* From (loaded object, address in its file) to names: routine, source file, line, inlined callers;
 * and data symbols.
 *
 * Context: the analyzer, one thread. Nothing is read before it is asked for, and a module is opened
 * once, however many processes used it. A file is used only if its build-id is that of the profile.
 * All strings live as long as the symbolizer. */
#pragma once

#include "analyze/symbols/symbol_place.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbolizer;
struct symbol_module;

/* symbols_directory: extra root to search by build-id or by path (ptrace-report --symbols), NULL
 * for none. */
struct symbolizer *symbolizer_create(const char *symbols_directory);
/* Another root, of files as they were when a run was made: for what is not as it was at its path or
 * below symbols_directory, and for what has no build-id. Before modules are asked for. */
void symbolizer_add_kept(struct symbolizer *symbolizer, const char *directory);
void symbolizer_destroy(struct symbolizer *symbolizer);

/* The module with that path and build-id (hexadecimal, "" if it has none); never NULL. The names of
 * a module that cannot be opened are module+0xoffset, and symbol_module_problem says why (NULL: no
 * problem). */
struct symbol_module *symbolizer_find_module(struct symbolizer *symbolizer, const char *path,
					     const char *build_id);
const char *symbol_module_problem(const struct symbol_module *module);
/* The text of a source file, by its path, in the debugging information itself; NULL: none. */
const char *symbol_module_source(struct symbol_module *module, const char *path);
const char *symbol_module_path(const struct symbol_module *module);
const char *symbol_module_build_id(const struct symbol_module *module);

/* The routines at an address, the innermost inlined one first, the enclosing real function last. At
 * least one. Cached. */
size_t symbolize_code(struct symbol_module *module, uint64_t address,
		      const struct symbol_place **places);

/* The routine that begins at an address, and the line of its first instruction; code that was
 * inlined there is ignored. */
void symbolize_entry(struct symbol_module *module, uint64_t address, struct symbol_place *place);

/* Is the instruction at an address in a loop that does nothing but wait (symbols/spin_loop.h)? No
 * if the code cannot be read, or is not x86-64. */
bool symbolize_is_waiting(struct symbol_module *module, uint64_t address);

/* Is the instruction at an address atomic, or the one behind an atomic one (symbols/atomic_code.h)?
 * No if the code cannot be read, or is of another kind of processor. */
bool symbolize_is_atomic(struct symbol_module *module, uint64_t address);

/* The variable at an address: "queue_lock", "table[3].lock" inside a larger object or, without
 * debugging information, "table+24"; NULL: no symbol covers it. Cached. */
const char *symbolize_data(struct symbol_module *module, uint64_t address);
