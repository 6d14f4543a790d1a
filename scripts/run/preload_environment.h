/* SPDX-License-Identifier: MIT */
/* The environment in which the profiled program starts: LD_PRELOAD and the PTRACE_* variables.
 *
 * Changes the environment of ptrace-run itself, once, before the program is started;
 * preload_environment_restore restores LD_PRELOAD for what ptrace-run starts afterwards. Errors end
 * ptrace-run with a message and status 125. */
#pragma once

#include "options.h"
#include "program_check.h"

#include <stdbool.h>

/* Finds the library and sets everything; directory is the absolute path of the run. */
void preload_environment_set(const struct options *options, const struct program *program,
			     const char *directory, bool is_in_place);
void preload_environment_restore(void);

/* Path of the library that was set. */
const char *preload_environment_library(void);

/* Does an outer ptrace-run of this very run directory report on it? To be asked before
 * preload_environment_set. */
bool preload_environment_is_inner(const char *directory);

/* Has the outer one given its place to its program? To be asked as early. */
bool preload_environment_is_outer_gone(void);
