/* SPDX-License-Identifier: MIT */
#include "analyze/model/stuck/stuck_verdicts.h"

#include "analyze/base/memory.h"

#include <stdlib.h>

struct judging {
	struct stuck *stuck;
	const struct stuck_graph *graph;
	const bool *is_stuck;
	bool *is_told; /* by wait */
	size_t *way;
};

static struct stuck_verdict *add(struct judging *judging, enum stuck_kind kind, bool is_certain)
{
	struct stuck *stuck = judging->stuck;

	stuck->verdicts = memory_grow(stuck->verdicts, stuck->verdict_count,
				      &stuck->verdict_capacity, sizeof *stuck->verdicts);
	struct stuck_verdict *verdict = &stuck->verdicts[stuck->verdict_count++];

	*verdict = (struct stuck_verdict){.kind = kind, .is_certain = is_certain};
	verdict->waits = memory_allocate(stuck->count + 1, sizeof *verdict->waits);
	return verdict;
}

static void add_wait(struct judging *judging, struct stuck_verdict *verdict, size_t wait)
{
	verdict->waits[verdict->count++] = wait;
	judging->is_told[wait] = true;
}

/* A way of ranks leads through nodes of processes, which are not named; if one of those has several
 * threads, which of them is meant is not known, but all are stuck. */
static void add_cycle(struct judging *judging, size_t length)
{
	size_t named = 0;
	bool is_certain = true;

	for (size_t i = 0; i < length; i++)
		if (!judging->graph->nodes[judging->way[i]].is_silent) {
			named++;
			is_certain &= judging->stuck->waits[judging->way[i]].is_certain;
		}
	struct stuck_verdict *verdict =
		add(judging, named == 1 ? STUCK_SELF : STUCK_CYCLE, is_certain);

	for (size_t i = 0; i < length; i++)
		if (!judging->graph->nodes[judging->way[i]].is_silent)
			add_wait(judging, verdict, judging->way[i]);
}

static bool is_open(const struct judging *judging, size_t wait)
{
	return judging->is_stuck[wait] && !judging->is_told[wait];
}

static void tell_cycles(struct judging *judging)
{
	for (size_t i = 0; i < judging->stuck->count; i++) {
		const struct stuck_wait *wait = &judging->stuck->waits[i];

		/* a collective call that lacks ranks is told as such */
		if (!is_open(judging, i) || wait->sequence)
			continue;
		size_t length =
			stuck_graph_cycle(judging->graph, judging->is_stuck, i, judging->way);
		bool is_new = length > 0;

		for (size_t j = 0; j < length; j++)
			is_new &= judging->way[j] >= judging->stuck->count ||
				  (!judging->is_told[judging->way[j]] &&
				   !judging->stuck->waits[judging->way[j]].sequence);
		if (is_new)
			add_cycle(judging, length);
	}
}

static void tell_orphans(struct judging *judging)
{
	for (size_t i = 0; i < judging->stuck->count; i++) {
		const struct stuck_wait *wait = &judging->stuck->waits[i];

		if (!is_open(judging, i) || !wait->is_held_by_dead || wait->sequence)
			continue;
		add_wait(judging, add(judging, STUCK_ORPHAN, wait->is_certain), i);
	}
}

static bool is_same_call(const struct stuck_wait *a, const struct stuck_wait *b)
{
	return a->cause == CAUSE_MPI && b->cause == CAUSE_MPI && a->sequence == b->sequence &&
	       a->instance == b->instance && a->job == b->job;
}

static void tell_collectives(struct judging *judging)
{
	for (size_t i = 0; i < judging->stuck->count; i++) {
		const struct stuck_wait *wait = &judging->stuck->waits[i];

		if (!is_open(judging, i) || !wait->sequence)
			continue;
		struct stuck_verdict *verdict = add(judging, STUCK_COLLECTIVE, wait->is_certain);

		for (size_t j = i; j < judging->stuck->count; j++)
			if (is_open(judging, j) && is_same_call(wait, &judging->stuck->waits[j]))
				add_wait(judging, verdict, j);
	}
}

/* Has a thread of that process been told of? Then the others may only be waiting for it. */
static bool has_verdict(const struct judging *judging, size_t process)
{
	for (size_t i = 0; i < judging->stuck->count; i++)
		if (judging->is_told[i] && judging->stuck->waits[i].process == process)
			return true;
	return false;
}

static enum stuck_kind kind_of(const struct stuck_wait *wait)
{
	if (wait->cause == CAUSE_CONDITION)
		return STUCK_WAKE_UP;
	return wait->cause == CAUSE_BARRIER ? STUCK_BARRIER : STUCK_NOBODY;
}

static bool is_like(const struct stuck_wait *a, const struct stuck_wait *b)
{
	return !b->other_count && b->process == a->process && b->cause == a->cause &&
	       b->address == a->address;
}

/* Waits for anybody where nobody is left; together, those at one object. Joins of threads that are
 * not known only wait for those, as a rule: they come last, and where nothing else was told. */
static void tell_crowds(struct judging *judging, bool is_of_joins)
{
	bool *has_told = memory_allocate(judging->stuck->count + 1, sizeof *has_told);

	for (size_t i = 0; i < judging->stuck->count; i++)
		has_told[i] = has_verdict(judging, judging->stuck->waits[i].process);
	for (size_t i = 0; i < judging->stuck->count; i++) {
		const struct stuck_wait *wait = &judging->stuck->waits[i];

		if (!is_open(judging, i) || has_told[i] || wait->other_count ||
		    (wait->cause == CAUSE_JOIN) != is_of_joins)
			continue;
		struct stuck_verdict *verdict = add(judging, kind_of(wait), false);

		for (size_t j = i; j < judging->stuck->count; j++)
			if (is_open(judging, j) && is_like(wait, &judging->stuck->waits[j]))
				add_wait(judging, verdict, j);
	}
	free(has_told);
}

void stuck_verdicts_add(struct stuck *stuck, const struct stuck_graph *graph, const bool *is_stuck)
{
	struct judging judging = {
		.stuck = stuck,
		.graph = graph,
		.is_stuck = is_stuck,
		.is_told = memory_allocate(stuck->count + 1, sizeof(bool)),
		.way = memory_allocate(graph->count + 1, sizeof(size_t)),
	};

	tell_cycles(&judging);
	tell_orphans(&judging);
	tell_collectives(&judging);
	tell_crowds(&judging, false);
	tell_crowds(&judging, true);
	free(judging.is_told);
	free(judging.way);
}
