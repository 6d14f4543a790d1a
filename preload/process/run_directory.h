/* SPDX-License-Identifier: MIT */
/* Where profiles go: PTRACE_OUTPUT, which ptrace-run sets. With LD_PRELOAD alone, in the working
 * directory: job.ptrace.N for all processes of a parallel job, else PROGRAM.ptrace.N. Created with
 * mode 0700; symbolic links are not followed. Context: start-up and fork child. */
#pragma once

/* Absolute path, valid for ever; NULL: it could not be made. */
const char *run_directory(void);

/* Another run begins, of a program that is attached to again. */
void run_directory_forget(void);
