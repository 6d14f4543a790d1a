/* SPDX-License-Identifier: MIT */
/* One thread of a running program in full, as its profile has it at a reading.
 *
 *   path    where it is, as far as that is known: the call path of the wait in which it is (exact);
 *           else the one at which it used most CPU time since the reading before (sampled); else,
 *           since it began (sampled)
 *   waits   of its whole life, those that ended: exact
 *   places  call paths by CPU time: sampled
 *
 * Context: names ask for symbols once; texts are kept by the names. */
#pragma once

#include "analyze/live/live_sums.h"
#include "analyze/model/common/names.h"

#include <stdbool.h>

#define LIVE_DETAIL_WAITS  10
#define LIVE_DETAIL_PLACES 5

enum live_path {
	LIVE_PATH_NONE,     /* neither waits nor samples tell */
	LIVE_PATH_WAIT,     /* of the present wait */
	LIVE_PATH_INTERVAL, /* most CPU time since the reading before */
	LIVE_PATH_LIFE,     /* most CPU time since the thread began */
};

struct live_detail_wait {
	uint64_t sum_ns, count, longest_ns;
	const char *cause, *operation, *object, *place; /* the last two may be NULL: not known */
};

struct live_detail_place {
	uint64_t grown_ns, cpu_ns; /* since the reading before, and since the thread began */
	const char *place;         /* NULL: not known */
	size_t callpath;           /* while the profile is there */
};

struct live_detail {
	uint64_t pid, tid;
	bool is_there;   /* the profile has such a thread */
	bool has_before; /* there was a reading before, for grown_ns */
	bool has_timer;  /* it is sampled */
	enum live_path path;
	const char **frames; /* innermost first */
	size_t frame_count;
	struct live_detail_wait waits[LIVE_DETAIL_WAITS]; /* the longest together first */
	size_t wait_count, waits_in_all;
	struct live_detail_place places[LIVE_DETAIL_PLACES];
	size_t place_count, places_in_all;
};

/* samples: of the thread, at the reading before if has_before; they become those of this one. */
struct live_detail *live_detail_of(struct names *names, const struct profile *profile, uint64_t tid,
				   struct live_sums *samples, bool has_before);
/* Of a thread that is gone, with its profile or without. */
struct live_detail *live_detail_nothing(uint64_t pid, uint64_t tid);
void live_detail_destroy(struct live_detail *detail); /* NULL: nothing */
