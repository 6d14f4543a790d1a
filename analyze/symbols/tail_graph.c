/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/tail_graph.h"

#include "analyze/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

/* Can this jump be on a way to the target? */
static bool may_lead(size_t jump, const bool *may_reach)
{
	return jump == TAIL_ANYWHERE || may_reach[jump];
}

static bool may_go_on(const struct tail_routine *routine, const bool *may_reach)
{
	for (size_t i = 0; i < routine->count; i++)
		if (may_lead(routine->jumps[i], may_reach))
			return true;
	return false;
}

/* By routine, the target included; released by the caller. */
static bool *find_reaching(const struct tail_routine *routines, size_t count, size_t target)
{
	bool *may_reach = memory_allocate(count, sizeof *may_reach);

	may_reach[target] = true;
	for (bool is_changed = true; is_changed;) {
		is_changed = false;
		for (size_t i = 0; i < count; i++)
			if (!may_reach[i] && may_go_on(&routines[i], may_reach))
				is_changed = may_reach[i] = true;
	}
	return may_reach;
}

/* The only routine to which it can have gone on; TAIL_ANYWHERE: it is not known, or there are
 * several. */
static size_t next_on_way(const struct tail_routine *routine, const bool *may_reach)
{
	size_t next = TAIL_ANYWHERE;

	for (size_t i = 0; i < routine->count; i++) {
		size_t jump = routine->jumps[i];

		if (!may_lead(jump, may_reach))
			continue;
		if (jump == TAIL_ANYWHERE)
			return TAIL_ANYWHERE;
		if (jump == next)
			continue;
		if (next != TAIL_ANYWHERE)
			return TAIL_ANYWHERE;
		next = jump;
	}
	return next;
}

/* Back to itself: it may have been the target several times. What it calls through pointers is not
 * looked at, that changes nothing in front of it. */
static bool is_in_cycle(const struct tail_routine *routine, const bool *may_reach)
{
	for (size_t i = 0; i < routine->count; i++)
		if (routine->jumps[i] != TAIL_ANYWHERE && may_reach[routine->jumps[i]])
			return true;
	return false;
}

size_t tail_graph_way(const struct tail_routine *routines, size_t count, size_t from, size_t target,
		      size_t *way)
{
	bool *may_reach = find_reaching(routines, count, target);
	bool is_open = is_in_cycle(&routines[target], may_reach);
	size_t length = 0, at = from;

	while (!is_open && at != target && length < count) {
		way[length++] = at;
		at = next_on_way(&routines[at], may_reach);
		is_open = at == TAIL_ANYWHERE;
	}
	free(may_reach);
	return is_open || at != target ? 0 : length;
}
