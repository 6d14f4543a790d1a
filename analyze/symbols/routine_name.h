/* SPDX-License-Identifier: MIT */
/* The name that a person knows a routine or variable by, from the one that the linker knows.
 *
 * C++ and Rust names are demangled, without parameters, return type and hash: `ns::Class::method`.
 * What a compiler appends to a part or a copy of a routine (`.part.0`, `.constprop.1`, `.cold`,
 * `._omp_fn.0`) is cut off: it is that routine. */
#pragma once

#include "analyze/symbols/text_pool.h"

/* Both return symbol itself where nothing changes, otherwise a text of the pool. */
const char *routine_name(struct text_pool *pool, const char *symbol);
const char *variable_name(struct text_pool *pool, const char *symbol);

/* The demangled name without its parameters, NULL if it is not mangled. */
const char *routine_name_demangle(struct text_pool *pool, const char *symbol);
