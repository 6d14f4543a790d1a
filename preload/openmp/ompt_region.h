/* SPDX-License-Identifier: MIT */
/* Callbacks of OMPT on regions, their members, and leagues of teams. Arguments from the OpenMP API
 * Specification 5.1, 4.5.2. Context: own thread. */
#pragma once

#include "preload/openmp/omp_thread.h"
#include "preload/openmp/ompt.h"

/* The stack pointer of waits that have no frame of the program between begin and end: no frame is
 * outside of them. */
#define OMPT_EVERYWHERE UINT64_MAX

void ompt_parallel_begin(ompt_data_t *task, const void *frame, ompt_data_t *parallel,
			 unsigned wanted, int flags, const void *code);
void ompt_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code);
void ompt_implicit_task(int endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned size,
			unsigned number, int flags);

/* The body of that implicit task has ended. */
void ompt_member_end(struct omp_thread *omp, ompt_data_t *task);

/* The first thread of a team has reached the barrier that ends its league. True: it is idle from
 * here on; false: it waits, and then continues the program. */
bool ompt_league_end(struct omp_thread *omp);
