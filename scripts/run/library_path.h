/* SPDX-License-Identifier: MIT */
/* Which libptrace.so is loaded: the one of PTRACE_LIBRARY, or the one beside this program. */
#pragma once

#include <stddef.h>

/* The absolute path, without links. Ends the program with a message and status 125 if there is no
 * such file. */
void library_path_find(char *path, size_t size);
