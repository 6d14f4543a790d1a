/* SPDX-License-Identifier: MIT */
/* Where profiles go: PTRACE_OUTPUT, which ptrace-run sets; with a bare LD_PRELOAD, in the working
 * directory, job.ptrace.N for all processes of a parallel job, else PROGRAM.ptrace.N. Context:
 * start-up and fork child. Made 0700; symbolic links are not followed. */
#pragma once

/* Absolute path, valid for ever; NULL: there is none that can be written. */
const char *run_directory(void);
