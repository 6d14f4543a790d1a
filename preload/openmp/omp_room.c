/* SPDX-License-Identifier: MIT */
#include "preload/openmp/omp_room.h"

#include "preload/base/pages.h"

/* One room is kept for the next task: in most loops they are equal. */
enum { LEAST = 16384, KEPT_MOST = 1 << 20 };

bool omp_room_take(struct omp_thread *omp, struct omp_room *room, size_t bytes)
{
	if (omp->room && omp->room_bytes >= bytes) {
		*room = (struct omp_room){omp->room, omp->room_bytes};
		omp->room = NULL;
		return true;
	}
	size_t all = LEAST;
	while (all < bytes)
		all *= 2;
	*room = (struct omp_room){pages_new(all), all};
	return room->start != NULL;
}

/* If the process was forked within the task, the thread may have another record. */
void omp_room_give(struct omp_thread *omp, const struct omp_room *room)
{
	if (!omp_is_current(omp) || omp->room || room->bytes > KEPT_MOST) {
		pages_free(room->start, room->bytes);
		return;
	}
	omp->room = room->start;
	omp->room_bytes = room->bytes;
}
