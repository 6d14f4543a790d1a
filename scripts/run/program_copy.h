/* SPDX-License-Identifier: MIT */
/* A copy of the program in the run directory, symbols/PATH, so that reports have its names when it
 * has been built anew in the meantime.
 *
 * Copied are files of up to 16 MiB, where there is much more room than that, and not what a
 * distribution installs, which is not built in place. Blocks are shared if the file system can
 * (FICLONE). Context: ptrace-run, beside the program that has just been started. */
#pragma once

#include "new_directory.h"

/* path: of the file that runs. Says nothing: without a copy reports look at the path itself. */
void program_copy_make(const struct run_directory *run, const char *path);

/* What program_copy_make has made, if the program was not executed. */
void program_copy_remove(const struct run_directory *run, const char *path);
