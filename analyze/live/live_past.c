/* SPDX-License-Identifier: MIT */
#include "analyze/live/live_past.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"

#include <stdlib.h>

struct past {
	uint64_t tid, birth_ns; /* the key */
	uint64_t at_ns;
	struct live_counts counts;
	struct live_trail trail;
};

struct live_pasts {
	struct keyed_table *now, *before;
};

static struct keyed_table *empty(void)
{
	return keyed_table_create(sizeof(struct past), 2 * sizeof(uint64_t));
}

struct live_pasts *live_pasts_create(void)
{
	struct live_pasts *pasts = memory_allocate(1, sizeof *pasts);

	pasts->now = empty();
	pasts->before = empty();
	return pasts;
}

void live_pasts_destroy(struct live_pasts *pasts)
{
	keyed_table_destroy(pasts->now);
	keyed_table_destroy(pasts->before);
	free(pasts);
}

void live_pasts_begin(struct live_pasts *pasts)
{
	keyed_table_destroy(pasts->before);
	pasts->before = pasts->now;
	pasts->now = empty();
}

/* The first reading is of the whole life, whose average says nothing of its last minute. */
static void extend_trail(struct past *past, uint64_t now_ns, const struct live_thread *thread,
			 const struct past *old)
{
	if (old)
		past->trail = old->trail;
	if (old && thread->is_known && now_ns > thread->interval_ns)
		live_trail_add(&past->trail, now_ns - thread->interval_ns, now_ns,
			       thread->running_ns);
}

void live_pasts_take(struct live_pasts *pasts, const struct live_counts *counts, uint64_t now_ns,
		     struct live_thread *thread)
{
	const struct past probe = {.tid = thread->tid, .birth_ns = thread->birth_ns};
	const struct past *old = keyed_table_find(pasts->before, &probe);
	struct past *past = keyed_table_enter(pasts->now, &probe, NULL);
	uint64_t from_ns = old ? old->at_ns : thread->birth_ns;

	past->at_ns = now_ns;
	past->counts = *counts;
	extend_trail(past, now_ns, thread, old);
	thread->grown = live_counts_between(old ? &old->counts : NULL, counts);
	thread->grown_ns = now_ns > from_ns ? now_ns - from_ns : 0;
	live_trail_read(&past->trail, now_ns, thread->cells);
}
