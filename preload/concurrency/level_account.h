/* SPDX-License-Identifier: MIT */
/* One account of T_i: the times of all levels, as they lie in rows of the profile. The process has
 * one (parallelism.c), and so has each section (section_levels.c).
 *
 * Context: the thread that holds the drain (concurrency.c), or the only thread. */
#pragma once

#include <stdint.h>

#include "preload/file/vocabulary.h"

enum {
	LEVELS = 256, /* the last row also holds all higher levels */
	LEVEL_KINDS = CONCURRENCY_WINDOWS_USEFUL + 1,
};

/* How the present levels are known: decides which rows time is added to. */
enum parallelism_view {
	PARALLELISM_UNSEEN,    /* no switch records */
	PARALLELISM_SEEN,      /* records all the time */
	PARALLELISM_IN_WINDOW, /* records now; the time between windows is assumed to be alike */
};

/* Threads on a processor, and useful ones, and how that is known. */
struct levels_now {
	enum parallelism_view view;
	uint32_t on, useful;
};

struct level_account {
	uint64_t *times[LEVEL_KINDS]; /* by enum concurrency_kind: of level 0; NULL: no store */
	unsigned stride;              /* words from one level's to the next */
	unsigned count;               /* of levels */
};

/* Levels that there are rows for, with so many processors. */
static inline unsigned level_account_count(unsigned processors)
{
	return processors + 1 < LEVELS ? processors + 1 : LEVELS;
}

/* So much time has passed. */
void level_account_pass(const struct level_account *account, const struct levels_now *now,
			uint64_t ns);

/* The only thread was on a processor for cpu_ns of elapsed_ns: in all so far, and in addition. */
void level_account_set_single(const struct level_account *account, uint64_t elapsed_ns,
			      uint64_t cpu_ns);
void level_account_pass_single(const struct level_account *account, uint64_t elapsed_ns,
			       uint64_t cpu_ns);

/* For so much of the time just passed, a thread that counted as useful was not. */
void level_account_take_useful(const struct level_account *account, const struct levels_now *now,
			       uint64_t ns);
