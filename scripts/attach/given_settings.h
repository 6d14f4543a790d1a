/* SPDX-License-Identifier: MIT */
/* The PTRACE_* variables as the library gets them that is loaded into a running process: NAME=VALUE
 * texts, each ended by 0, and one more 0. */
#pragma once

#include "attach_options.h"

#include <stddef.h>

/* From the options, and from variables that are set for ptrace-attach. Returns the bytes; ends the
 * program with a message and status 125 if size does not do. */
size_t settings_make(const struct attach_options *options, const char *directory, char *text,
		     size_t size);
