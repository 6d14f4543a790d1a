/* SPDX-License-Identifier: MIT */
/* Runtimes of sanitizers: they refuse to work, or miss events, if another library was loaded before
 * them. */
#pragma once

#include <stdbool.h>

/* library: a file name or a path, as in a NEEDED entry or in LD_PRELOAD */
bool sanitizer_is_runtime(const char *library);

/* Does that runtime end a program in which it is not the first library, and has an option against
 * that? */
bool sanitizer_insists(const char *library);
