/* SPDX-License-Identifier: MIT */
#include "analyze/model/stuck/stuck.h"

#include "analyze/base/memory.h"
#include "analyze/model/stuck/stuck_collect.h"
#include "analyze/model/stuck/stuck_edges.h"
#include "analyze/model/stuck/stuck_look.h"
#include "analyze/model/stuck/stuck_verdicts.h"
#include "analyze/model/stuck/stuck_words.h"

#include <stdlib.h>

struct stuck_accumulator {
	struct names *names;
	struct stuck stuck;
	struct stuck_facts facts;
};

struct stuck_accumulator *stuck_accumulator_create(struct names *names)
{
	struct stuck_accumulator *accumulator = memory_allocate(1, sizeof *accumulator);

	accumulator->names = names;
	return accumulator;
}

void stuck_accumulator_add(struct stuck_accumulator *accumulator, const struct profile *profile,
			   const struct process *process)
{
	stuck_collect(&accumulator->stuck, &accumulator->facts, accumulator->names, profile,
		      process);
}

static bool has_live(const struct stuck *stuck)
{
	for (size_t i = 0; i < stuck->count; i++)
		if (stuck->waits[i].pid_here)
			return true;
	return false;
}

static void judge(struct stuck *stuck, const struct stuck_facts *facts,
		  const struct process *processes, size_t process_count, bool is_last)
{
	struct stuck_graph graph = stuck_edges_of(stuck, facts, processes, process_count);
	bool *is_stuck = stuck_graph_judge(&graph);

	stuck->stuck_count = 0;
	for (size_t i = 0; i < stuck->count; i++) {
		if (!is_stuck[i])
			continue;
		stuck->waits[i].state = STUCK_STUCK;
		stuck->stuck_count++;
	}
	if (is_last)
		stuck_verdicts_add(stuck, &graph, is_stuck);
	free(is_stuck);
	stuck_graph_clear(&graph);
}

/* Locks are read between the two readings of the waits: a wait that is the same in both was under
 * way when its lock was read, and so was that of the lock's holder. */
static void look_and_judge(struct stuck *stuck, const struct stuck_facts *facts,
			   const struct process *processes, size_t process_count)
{
	stuck_look_at_objects(stuck);
	if (stuck->is_live)
		judge(stuck, facts, processes, process_count, false);
	if (stuck->is_live && stuck->stuck_count)
		stuck_look_again(stuck);
	judge(stuck, facts, processes, process_count, true);
}

static void add_texts(struct stuck *stuck, const struct process *processes)
{
	for (size_t i = 0; i < stuck->verdict_count; i++)
		stuck->verdicts[i].text = stuck_verdict_text(stuck, processes, &stuck->verdicts[i]);
}

struct stuck stuck_accumulator_finish(struct stuck_accumulator *accumulator,
				      const struct process *processes, size_t process_count,
				      bool is_over)
{
	struct stuck stuck = accumulator->stuck;

	stuck.is_live = has_live(&stuck);
	if (!is_over || stuck.is_live) {
		look_and_judge(&stuck, &accumulator->facts, processes, process_count);
		add_texts(&stuck, processes);
	} else {
		stuck_clear(&stuck); /* last states of helpers that the program itself killed */
	}
	stuck_facts_clear(&accumulator->facts);
	free(accumulator);
	return stuck;
}

void stuck_accumulator_destroy(struct stuck_accumulator *accumulator)
{
	stuck_clear(&accumulator->stuck);
	stuck_facts_clear(&accumulator->facts);
	free(accumulator);
}

void stuck_clear(struct stuck *stuck)
{
	for (size_t i = 0; i < stuck->count; i++)
		free(stuck->waits[i].others);
	for (size_t i = 0; i < stuck->verdict_count; i++) {
		free(stuck->verdicts[i].waits);
		free(stuck->verdicts[i].text);
	}
	free(stuck->waits);
	free(stuck->verdicts);
	*stuck = (struct stuck){0};
}
