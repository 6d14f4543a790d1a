/* SPDX-License-Identifier: MIT */
/* The processes of a run by their programs. The program of a process is the last part of the first
 * word of its command line, or of the path of its executable: "cc1" of "/usr/lib/gcc/cc1 -quiet".
 * Context: pure. */
#pragma once

#include "analyze/read/run_read.h"

/* By the command line; released by the caller. */
char *run_program_name(const struct run_process *process);

/* Leaves only the processes of that program in the run; the others are kept to judge the lives of
 * these. False, with a reason that the caller releases: there are none, or the run cannot be
 * divided. */
bool run_keep_program(struct run_files *files, const char *program, char **problem);
