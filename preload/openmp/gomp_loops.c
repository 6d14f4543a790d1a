/* SPDX-License-Identifier: MIT */
#include "preload/openmp/gomp_loops.h"

#include "preload/base/pages.h"

enum { CHUNK_BYTES = 4096 };

static void make_loops(struct omp_thread *omp)
{
	struct gomp_loop *loops = pages_new(CHUNK_BYTES);

	for (unsigned i = 0; loops && i < CHUNK_BYTES / sizeof *loops; i++) {
		loops[i].owner = omp;
		loops[i].next = omp->free_loops;
		omp->free_loops = &loops[i];
	}
}

struct gomp_loop *gomp_loop_take(struct omp_thread *omp)
{
	if (!omp->free_loops)
		omp->free_loops = __atomic_exchange_n(&omp->returned_loops, NULL, __ATOMIC_ACQUIRE);
	if (!omp->free_loops)
		make_loops(omp);
	struct gomp_loop *loop = omp->free_loops;
	if (!loop)
		return NULL;
	omp->free_loops = loop->next;
	loop->users = 1;
	return loop;
}

/* Acquire and release: the last user sees all that the others did. */
void gomp_loop_leave(struct gomp_loop *loop)
{
	void **returned = &loop->owner->returned_loops;

	if (__atomic_sub_fetch(&loop->users, 1, __ATOMIC_ACQ_REL))
		return;
	loop->next = __atomic_load_n(returned, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(returned, &loop->next, (void *)loop, true,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}
