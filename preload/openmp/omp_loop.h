/* SPDX-License-Identifier: MIT */
/* Loops and sections whose pieces the runtime hands out: how many, and what that costs. Every
 * request for a piece is counted, one in 16 is timed. Context: own thread. */
#pragma once

#include "preload/openmp/omp_wait.h"

enum {
	OMP_TIMED_PIECES = 16,
	OMP_PREEMPTED_NS = 20000, /* a call that took longer lost its processor */
};

/* A loop begins; its first piece is timed. */
static inline void omp_loop_begin(struct omp_thread *omp, struct row_omp_constructs *row)
{
	omp->loop = row;
	omp->turn = NULL;
	omp->loop_calls = 0;
}

/* Before a piece is requested. 0: not timed. */
static inline uint64_t omp_piece_begin(struct omp_thread *omp)
{
	return omp->loop_calls++ % OMP_TIMED_PIECES == 0 ? omp_now_ns(omp) : 0;
}

static inline void omp_piece_end(struct omp_thread *omp, uint64_t start_ns, bool is_given)
{
	struct row_omp_constructs *row = omp->loop;

	if (unlikely(!row)) /* none, or the process was forked: omp_thread.c */
		return;
	row->asked++;
	row->pieces += is_given;
	if (likely(!start_ns))
		return;
	uint64_t ns = omp_now_ns(omp) - start_ns;
	if (ns >= OMP_PREEMPTED_NS)
		return;
	row->time_ns += ns;
	row->timed++;
}
