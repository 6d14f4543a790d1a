/* SPDX-License-Identifier: MIT */
/* Loops of tasks whose data the program copies itself (C++ objects): what their tasks have in
 * common. It lasts until the last of them has ended, which with nogroup is after the call. Memory
 * is reused, and never unmapped. Context: own thread; any thread may give a loop back. */
#pragma once

#include "preload/openmp/gomp_task.h"

struct gomp_loop {
	uint64_t first[3]; /* words of the program's data, which the runtime reads here */
	struct gomp_body body;
	void (*copy)(void *, void *); /* the program's own, of `source` */
	void *source;
	uint32_t offset; /* of a task's data in its block */
	uint32_t words;  /* first ones of the data, which the runtime writes to */
	uint64_t frame;  /* stack pointer of the call that makes the tasks */
	uint32_t users;  /* atomic: the tasks, and that call */
	void *next;
	struct omp_thread *owner; /* whose pool it belongs to */
};

/* A loop with one user; NULL: no memory. */
struct gomp_loop *gomp_loop_take(struct omp_thread *omp);

static inline void gomp_loop_use(struct gomp_loop *loop)
{
	__atomic_add_fetch(&loop->users, 1, __ATOMIC_RELAXED);
}

/* Ends the use by one; the last user gives the loop back. */
void gomp_loop_leave(struct gomp_loop *loop);
