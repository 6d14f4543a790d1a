/* SPDX-License-Identifier: MIT */
/* What is kept of each thread of a process from one reading to the next, beside its CPU time
 * (live_threads.h): its counts, and its last minute. A thread that is missing in a reading is
 * forgotten. Context: pure. */
#pragma once

#include "analyze/live/live_counts.h"
#include "analyze/live/live_frame.h"

struct live_pasts;

struct live_pasts *live_pasts_create(void);
void live_pasts_destroy(struct live_pasts *pasts);

/* A reading begins. */
void live_pasts_begin(struct live_pasts *pasts);
/* Of a thread whose times of this reading are known: sets grown, grown_ns and cells. counts: until
 * now_ns. */
void live_pasts_take(struct live_pasts *pasts, const struct live_counts *counts, uint64_t now_ns,
		     struct live_thread *thread);
