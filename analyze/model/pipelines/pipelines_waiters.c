/* SPDX-License-Identifier: MIT */
/* Who waited longest for each stage. Of a connection only the two longest waits of each side are
 * looked at, so that thousands of processes at one pipe take no longer than there are of them. */
#include "analyze/model/pipelines/pipelines_parts.h"

#include "analyze/base/memory.h"

#include <math.h>
#include <stdlib.h>

static const struct stage_waiter nobody = {SIZE_MAX, 0};

/* The longest waits of one side, of two different stages. */
struct longest {
	struct stage_waiter first, second;
};

static struct longest longest_of(const struct pipelines *all, const struct connection_side *side,
				 bool is_writer, const size_t *stage_of)
{
	struct longest longest = {nobody, nobody};

	for (size_t i = 0; i < side->count; i++) {
		const struct pipe_end *end = &all->ends.rows[side->ends[i]];
		size_t stage = stage_of[end->process] - 1;
		double ns = stage_flow_wait_ns(&all->stages[stage], end,
					       connection_direction(is_writer));

		if (longest.first.stage == SIZE_MAX || ns > longest.first.ns) {
			longest.second = longest.first;
			longest.first = (struct stage_waiter){stage, ns};
		} else if (longest.second.stage == SIZE_MAX || ns > longest.second.ns) {
			longest.second = (struct stage_waiter){stage, ns};
		}
	}
	return longest;
}

/* Are there several stages on it? Then none of them can be told to have kept others waiting. */
static bool has_several(const struct longest *side)
{
	return side->second.stage != SIZE_MAX && side->second.stage != side->first.stage;
}

/* The other side of a connection waited for the stages of this one. */
static void add_waits(struct pipelines *all, const struct connection_side *side,
		      const struct longest *own, const struct longest *others, bool is_writer,
		      const size_t *stage_of)
{
	for (size_t i = 0; i < side->count; i++) {
		size_t index = stage_of[all->ends.rows[side->ends[i]].process] - 1;
		struct stage *stage = &all->stages[index];
		const struct stage_waiter *other =
			others->first.stage != index ? &others->first : &others->second;
		struct stage_waiter *known = is_writer ? &stage->reader : &stage->writer;

		if (other->stage == SIZE_MAX)
			continue;
		*(is_writer ? &stage->has_sink : &stage->has_source) = true;
		if (!has_several(own) && (known->stage == SIZE_MAX || other->ns > known->ns))
			*known = *other;
	}
}

/* ---- waits for events: for whom is known if there is one other stage */

#define SEVERAL (SIZE_MAX - 1)

/* Adds what the other side has to the peers of the stages of this one. */
static void add_peers(const struct pipelines *all, const struct connection_side *side,
		      const struct longest *others, size_t *peers, const size_t *stage_of)
{
	for (size_t i = 0; i < side->count; i++) {
		size_t stage = stage_of[all->ends.rows[side->ends[i]].process] - 1;
		bool is_one = others->second.stage == SIZE_MAX;
		size_t other = is_one ? others->first.stage : SEVERAL;

		peers[stage] = peers[stage] == SIZE_MAX || peers[stage] == other ? other : SEVERAL;
	}
}

static void add_watchers(struct pipelines *all, const size_t *peers)
{
	for (size_t i = 0; i < all->stage_count; i++) {
		if (peers[i] >= SEVERAL || !(all->stages[i].events_ns > 0))
			continue;
		struct stage_waiter *watcher = &all->stages[peers[i]].watcher;

		if (all->stages[i].events_ns > watcher->ns)
			*watcher = (struct stage_waiter){i, all->stages[i].events_ns};
	}
}

void pipelines_find_waiters(struct pipelines *all, const size_t *stage_of)
{
	size_t *peers = memory_allocate(all->stage_count + 1, sizeof *peers);

	for (size_t i = 0; i < all->stage_count; i++) {
		all->stages[i].writer = all->stages[i].reader = all->stages[i].watcher = nobody;
		peers[i] = SIZE_MAX;
	}
	for (size_t i = 0; i < all->connections.count; i++) {
		const struct connection *connection = &all->connections.rows[i];
		struct longest from = longest_of(all, &connection->from, true, stage_of);
		struct longest to = longest_of(all, &connection->to, false, stage_of);

		add_waits(all, &connection->from, &from, &to, true, stage_of);
		add_waits(all, &connection->to, &to, &from, false, stage_of);
		add_peers(all, &connection->from, &to, peers, stage_of);
		add_peers(all, &connection->to, &from, peers, stage_of);
	}
	add_watchers(all, peers);
	free(peers);
}
