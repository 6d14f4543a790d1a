/* SPDX-License-Identifier: MIT */
/* Memory for a task's data while the runtime copies them, if they are too large for the stack of
 * the call that makes the task. Context: own thread; never changes errno. */
#pragma once

#include "preload/openmp/omp_thread.h"

struct omp_room {
	char *start;
	size_t bytes;
};

/* Takes at least so many bytes, page-aligned; false: there is no memory. */
bool omp_room_take(struct omp_thread *omp, struct omp_room *room, size_t bytes);
void omp_room_give(struct omp_thread *omp, const struct omp_room *room);
