/* SPDX-License-Identifier: MIT */
/* Memory for a task's data, while the runtime copies them, where they are too large for the stack
 * of the call that makes it. Context: own thread; never changes errno. */
#pragma once

#include "preload/openmp/omp_thread.h"

struct omp_room {
	char *start;
	size_t bytes;
};

/* With memory of at least so many bytes, at a multiple of a page; false: there is none. */
bool omp_room_take(struct omp_thread *omp, struct omp_room *room, size_t bytes);
void omp_room_give(struct omp_thread *omp, const struct omp_room *room);
