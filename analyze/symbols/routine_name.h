/* SPDX-License-Identifier: MIT */
/* The name by which a person knows a routine or variable, from its linkage name.
 *
 * C++ and Rust names are demangled, without parameters, return type and hash: `ns::Class::method`.
 * Suffixes with which a compiler names a part or a copy of a routine (`.part.0`, `.constprop.1`,
 * `.cold`, `._omp_fn.0`) are cut off: it is the same routine to the user. */
#pragma once

#include "analyze/symbols/text_pool.h"

/* Both return symbol itself where nothing changes, otherwise a text of the pool. */
const char *routine_name(struct text_pool *pool, const char *symbol);
const char *variable_name(struct text_pool *pool, const char *symbol);

/* The demangled name without its parameters, NULL if it is not mangled. */
const char *routine_name_demangle(struct text_pool *pool, const char *symbol);
