/* SPDX-License-Identifier: MIT */
/* Are all objects known that a program was linked with?
 *
 * A profile has the objects of the addresses in it, and no others. Which of those that the program
 * was linked with are missing, their own lists tell. Objects that it loads itself (dlopen,
 * LD_PRELOAD) are on no list. Context: the analyzer, one thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct symbol_module;

/* is_system: by path, or by the name on a list: an object that need not be known, nor be asked. */
bool loaded_objects_are_known(struct symbol_module *const *modules, size_t count,
			      bool (*is_system)(const char *path));
