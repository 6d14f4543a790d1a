/* SPDX-License-Identifier: MIT */
/* The one row of the table `process`, which several accounts add to. NULL while there is no store.
 */
#pragma once

#include "preload/file/schema.h"

extern struct row_process *process_row;

/* Start-up and fork child: writes what is known of the process. Returns 0 or a negative errno. */
int process_row_open(void);

/* Processors that the process may use: those of affinity.h, cut by the quota of its control group.
 */
unsigned process_count_processors(void);

/* There may be more of them now. */
void process_row_set_processors(void);

/* The process's CPU clock: counts from now on, when it stands at so much; and what it has counted,
 * into the row. */
void process_row_begin_cpu(uint64_t cpu_ns);
void process_row_read_cpu(void);

/* The machine's name, with characters that do not belong into a file name replaced. */
const char *process_host(void);
