/* SPDX-License-Identifier: MIT */
/* What is asked of the library in a process, and its answers in words.
 *
 * Context: ptrace-attach, all signals blocked. */
#pragma once

#include "attach_options.h"
#include "target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Loads the library if need be, and begins. False: a message says why not. */
bool agent_call_begin(const struct target *target, const char *library, const char *settings,
		      size_t size, const struct attach_options *options);

bool agent_call_end(const struct target *target, const struct attach_options *options);
