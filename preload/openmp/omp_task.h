/* SPDX-License-Identifier: MIT */
/* Explicit tasks: made by one thread, run by any of the team, often within a wait of that one.
 * Context: own thread; never changes errno. */
#pragma once

#include "preload/openmp/omp_wait.h"

/* What a task bears from its making to its end. */
struct omp_task_birth {
	uint64_t place; /* UNWIND_EXACT: entry of the body */
	uint64_t made_ns;
	const struct omp_thread *maker;
	uint64_t number; /* of the maker's tasks */
	uint32_t region;
};

/* The thread makes a task; or, not is_counted, nobody knows yet how many. */
void omp_task_make(struct omp_thread *omp, struct omp_task_birth *birth, uint64_t place,
		   uint64_t dependences, bool is_counted);

/* The same for one of which no more will be known. */
void omp_task_make_untimed(struct omp_thread *omp, uint64_t place, uint64_t dependences,
			   bool is_counted);

/* It depends on so many others. By its maker. */
void omp_task_depends(struct omp_thread *omp, const struct omp_task_birth *birth, uint64_t count);

/* It runs one: is_first, from its begin, else from where it was left. is_deferred: not within the
 * call that makes it. is_complete: it has come to its end, and is not left to go on later. */
void omp_task_begin(struct omp_task *task, const struct omp_task_birth *birth, bool is_deferred,
		    bool is_first);
void omp_task_end(struct omp_task *task, bool is_complete);
/* The same, at that time. */
void omp_task_end_at(struct omp_task *task, bool is_complete, uint64_t now_ns);

/* A task that this thread has run a part of, and another one to its end, is complete. is_of_loop:
 * it was not counted when it was made. */
void omp_task_completed(struct omp_thread *omp, const struct omp_task_birth *birth,
			bool is_deferred, bool is_of_loop);
