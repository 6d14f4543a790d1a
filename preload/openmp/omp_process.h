/* SPDX-License-Identifier: MIT */
/* The process as a user of OpenMP: which runtimes, since when, how large their teams. Any thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/file/vocabulary.h"

/* A runtime of it is known now; library: its file, or what it calls itself (kept). */
void omp_process_found(enum omp_runtime runtime, const char *library);

/* A thread uses OpenMP: the rows of those that are known are written, if that was not done. */
void omp_process_begin(void);

/* An outermost region begins; has ended, with so many threads. */
void omp_process_region_begins(enum omp_runtime runtime, uint64_t now_ns);
void omp_process_region_ended(enum omp_runtime runtime, uint64_t now_ns, uint32_t team);
