/* SPDX-License-Identifier: MIT */
/* The process as a user of OpenMP: its runtimes, since when, how large their teams are. Any
 * thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/file/vocabulary.h"

/* A runtime was found; library: its file, or what it calls itself (copied). */
void omp_process_found(enum omp_runtime runtime, const char *library);

/* A thread uses OpenMP: writes the rows of runtimes that were found, if that was not done. */
void omp_process_begin(void);

/* An outermost region begins; an outermost region of `team` threads has ended. */
void omp_process_region_begins(enum omp_runtime runtime, uint64_t now_ns);
void omp_process_region_ended(enum omp_runtime runtime, uint64_t now_ns, uint32_t team);
