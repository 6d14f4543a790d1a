/* SPDX-License-Identifier: MIT */
/* What the wrappers of GOMP_task and GOMP_taskloop share: the program's body is called by a
 * function of ours, which times it, and finds it in front of the data that the runtime passes.
 * Context: own thread. */
#pragma once

#include "preload/openmp/gomp_real.h"
#include "preload/openmp/omp_task.h"

enum {
	/* bits of `flags` */
	GOMP_TASK_DEPEND = 8,
	GOMP_TASK_REDUCTION = 4096,
	GOMP_TASK_DETACH = 8192,
	/* larger data are not copied on the stack of the call that makes a task */
	GOMP_DATA_MOST = 1024,
	GOMP_ALIGNMENT_MOST = 64,
};

/* The arguments that both calls have. */
struct gomp_task {
	uint64_t body, data, copy, bytes, alignment;
	unsigned flags;
};

/* The program's body, and the library that runs it. */
struct gomp_body {
	void (*function)(void *);
	const struct gomp_library *library;
	struct omp_task_birth birth;
};

/* In the thread that runs the task. is_made_now: it was not counted when it was made. */
__attribute__((always_inline)) static inline void
gomp_task_run(const struct gomp_body *body, void *data, bool is_deferred, bool is_made_now)
{
	const struct gomp_library *outer = gomp_running;
	struct omp_task task;

	gomp_running = body->library;
	omp_task_begin(&task, &body->birth, is_deferred, true);
	if (is_made_now && task.omp && task.row)
		task.row->created++;
	body->function(data);
	omp_task_end(&task, true);
	gomp_running = outer;
}

/* The offset of data with that alignment behind `bytes` of ours. */
static inline uint64_t gomp_task_round(uint64_t bytes, uint64_t alignment)
{
	return (bytes + alignment - 1) & ~(alignment - 1);
}

static inline uint64_t gomp_task_alignment(const struct gomp_task *task)
{
	return task->alignment > 8 ? task->alignment : 8;
}

/* The runtime copies the data as they are, and a block with them does not fit on the stack. */
static inline bool gomp_task_is_large(const struct gomp_task *task)
{
	return !task->copy &&
	       (task->bytes > GOMP_DATA_MOST || task->alignment > GOMP_ALIGNMENT_MOST);
}
