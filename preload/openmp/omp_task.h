/* SPDX-License-Identifier: MIT */
/* Explicit tasks: made by one thread, run by any thread of the team, often within a wait of that
 * thread. Context: own thread; never changes errno. */
#pragma once

#include "preload/openmp/omp_wait.h"

/* What is kept with a task from its making to its end. */
struct omp_task_birth {
	uint64_t place; /* UNWIND_EXACT: entry of the body */
	uint64_t made_ns;
	const struct omp_thread *maker;
	uint64_t number; /* of the maker's tasks */
	uint32_t region;
};

/* The thread makes a task; or, if not is_counted, tasks whose number is not known yet. */
void omp_task_make(struct omp_thread *omp, struct omp_task_birth *birth, uint64_t place,
		   uint64_t dependences, bool is_counted);

/* The same for a task of which nothing more will be known. */
void omp_task_make_untimed(struct omp_thread *omp, uint64_t place, uint64_t dependences,
			   bool is_counted);

/* The task depends on `count` others. By its maker. */
void omp_task_depends(struct omp_thread *omp, const struct omp_task_birth *birth, uint64_t count);

/* The thread runs a task: from its begin if is_first, else from where it was left. is_deferred: not
 * within the call that makes it. is_complete: it has ended, and is not left to be continued
 * later. */
void omp_task_begin(struct omp_task *task, const struct omp_task_birth *birth, bool is_deferred,
		    bool is_first);
void omp_task_end(struct omp_task *task, bool is_complete);
/* The same, with the time of the end. */
void omp_task_end_at(struct omp_task *task, bool is_complete, uint64_t now_ns);

/* A task of which this thread ran a part, and another thread the last one, is complete. is_of_loop:
 * it was not counted when it was made. */
void omp_task_completed(struct omp_thread *omp, const struct omp_task_birth *birth,
			bool is_deferred, bool is_of_loop);
