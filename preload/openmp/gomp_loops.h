/* SPDX-License-Identifier: MIT */
/* Loops of tasks whose data the program copies itself (C++ objects): what their tasks have in
 * common. It lasts until the last of them has ended, which with nogroup is after the call. Memory
 * is used again, and never given back. Context: own thread; a loop is given back by any. */
#pragma once

#include "preload/openmp/gomp_task.h"

struct gomp_loop {
	uint64_t first[3]; /* of the program's data: the runtime reads them here */
	struct gomp_body body;
	void (*copy)(void *, void *); /* the program's own, of `source` */
	void *source;
	uint32_t offset; /* of a task's data from its beginning */
	uint32_t words;  /* at their beginning, that the runtime writes to */
	uint64_t frame;  /* of the call that makes them: stack pointer */
	uint32_t users;  /* atomic: tasks and that call */
	void *next;
	struct omp_thread *owner; /* whose pool it belongs to */
};

/* NULL: no memory. It has one user. */
struct gomp_loop *gomp_loop_take(struct omp_thread *omp);

static inline void gomp_loop_use(struct gomp_loop *loop)
{
	__atomic_add_fetch(&loop->users, 1, __ATOMIC_RELAXED);
}

/* A user less; the last one gives it back. */
void gomp_loop_leave(struct gomp_loop *loop);
