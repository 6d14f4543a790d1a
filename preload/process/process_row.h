/* SPDX-License-Identifier: MIT */
/* The one row of the table `process`, which several modules add to. NULL while there is no
 * store. */
#pragma once

#include "preload/file/schema.h"

extern struct row_process *process_row;

/* What libc gives constructors as main's, for the first profile: a fork child's may have changed,
 * and the kernel is asked. */
void process_row_know_arguments(const char *const *of_main);

/* Start-up and fork child: makes the row of the process with that number and writes what is known.
 * Returns 0 or a negative errno. */
int process_row_open(int pid);

/* Processors that the process may use: those of affinity.h, cut by the quota of its control
 * group. */
unsigned process_count_processors(void);

/* Updates the row: there may be more processors now. */
void process_row_set_processors(void);

/* The process's CPU clock: begin takes its reading at the profile's begin, read writes the CPU time
 * since then to the row. */
void process_row_begin_cpu(uint64_t cpu_ns);
void process_row_read_cpu(void);

/* The machine's name; characters that do not belong in a file name are replaced. */
const char *process_host(void);
