/* SPDX-License-Identifier: MIT */
/* One process between two readings. Context: reads /proc; names ask for symbols once. */
#pragma once

#include "analyze/live/live_frame.h"
#include "analyze/live/live_levels.h"
#include "analyze/live/live_past.h"
#include "analyze/live/live_threads.h"
#include "analyze/model/common/names.h"
#include "analyze/model/process/process_life.h"

/* Threads of one process that a frame describes, those with most CPU time; others are counted. */
#define LIVE_THREADS_MAX 512

/* What is kept of a process from one reading to the next. */
struct live_watched {
	char *path; /* of its profile */
	struct live_sums *sums;
	struct live_usages usages;
	struct live_pasts *pasts;  /* of its threads */
	struct live_counts counts; /* of all of them, at the last reading */
	struct live_kinds kinds;   /* of T_i at the last reading */
	struct live_levels grown;  /* what it brought */
	uint64_t cpu_ns;
	bool is_cpu_known; /* by the process's clock, at the last reading */
	bool is_over;      /* it has ended, and was read after that */
	struct live_process shown;
};

struct live_watched *live_watched_create(const char *path);
void live_watched_destroy(struct live_watched *watched);

/* Takes a reading, and adds to the frame what it brought. */
void live_process_read(struct live_watched *watched, struct names *names,
		       const struct profile *profile, const struct process_life *life,
		       uint64_t now_ns, size_t rows, struct live_frame *frame);
