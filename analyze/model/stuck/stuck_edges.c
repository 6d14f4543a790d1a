/* SPDX-License-Identifier: MIT */
#include "analyze/model/stuck/stuck_edges.h"

#include "analyze/base/memory.h"
#include "analyze/model/stuck/stuck_edges_parts.h"
#include "analyze/read/process_look.h"

#include <string.h>

/* A shorter wait of a process that lives no longer is none to judge. */
enum { YOUNG_NS = 100000000 };

static size_t crowd_node(const struct stuck_building *building, size_t process)
{
	return process_node(building, process) + 1;
}

/* ---- nodes of processes */

/* Threads that the profile has no row of: nobody knows what they do. */
static bool has_unseen_threads(const struct stuck_process *process)
{
	return process->pid_here && process_look_threads(process->pid_here) > process->threads;
}

static void add_processes(struct stuck_building *building)
{
	struct stuck_graph *graph = &building->graph;

	for (size_t i = 0; i < building->process_count; i++) {
		stuck_graph_add(graph,
				(struct stuck_node){.need = STUCK_ONE_OF, .is_silent = true});
		stuck_graph_add(graph, (struct stuck_node){.need = STUCK_ONE_OF,
							   .is_silent = true,
							   .is_crowd = true});
		if (!is_known(building, i) || has_unseen_threads(&building->facts->processes[i]))
			stuck_graph_link(graph, process_node(building, i), building->going);
	}
	for (size_t i = 0; i < building->stuck->count; i++)
		if (!building->stuck->waits[i].is_helper)
			stuck_graph_link(graph,
					 process_node(building, building->stuck->waits[i].process),
					 i);
}

/* A crowd is whoever may signal, post, or arrive: threads of the process, and of others that may
 * share its memory. Ranks speak by MPI. */
static void fill_crowds(struct stuck_building *building)
{
	for (size_t i = 0; i < building->process_count; i++) {
		stuck_graph_link(&building->graph, crowd_node(building, i),
				 process_node(building, i));
		for (size_t j = 0; j < building->process_count && !is_rank(building, i); j++)
			if (j != i && !is_rank(building, j) &&
			    building->processes[j].life.state == LIFE_RUNNING)
				stuck_graph_link(&building->graph, crowd_node(building, i),
						 process_node(building, j));
	}
}

/* ---- edges */

static void wait_for_crowd(struct stuck_building *building, size_t node)
{
	struct stuck_wait *wait = &building->stuck->waits[node];

	stuck_edges_need(building, node, STUCK_ONE_OF);
	stuck_graph_link(&building->graph, node, crowd_node(building, wait->process));
}

static size_t find_thread(const struct stuck_building *building, size_t process, uint64_t tid)
{
	for (size_t i = 0; i < building->stuck->count; i++)
		if (building->stuck->waits[i].process == process &&
		    building->stuck->waits[i].tid == tid)
			return i;
	return STUCK_NONE;
}

/* Of all processes that live here: kernel's numbers of threads are good for all of them. */
static size_t find_anywhere(const struct stuck_building *building, uint64_t tid)
{
	for (size_t i = 0; i < building->stuck->count; i++)
		if (building->stuck->waits[i].pid_here && building->stuck->waits[i].tid == tid)
			return i;
	return STUCK_NONE;
}

/* One thread, and nobody else. */
static void wait_for_thread(struct stuck_building *building, size_t node, uint64_t tid)
{
	struct stuck_wait *wait = &building->stuck->waits[node];
	size_t other = find_thread(building, wait->process, tid);
	if (other == STUCK_NONE && wait->pid_here && wait->is_shared)
		other = find_anywhere(building, tid);
	bool is_read = wait->source == STUCK_MEMORY || wait->source == STUCK_ARGUMENTS;

	stuck_edges_need(building, node, STUCK_ONE_OF);
	if (other == STUCK_NONE) {
		bool is_unseen = wait->pid_here && thread_look_at(wait->pid_here, tid).state;

		wait->is_elsewhere =
			!is_unseen && wait->pid_here && thread_look_at((uint32_t)tid, tid).state;
		is_unseen |= wait->is_elsewhere && wait->is_shared;
		wait->is_held_by_dead = !is_unseen;
		wait->is_certain = is_read;
		if (is_unseen)
			stuck_graph_link(&building->graph, node, building->going);
		return;
	}
	const struct stuck_wait *holder = &building->stuck->waits[other];

	wait->is_certain = is_read || other == node ||
			   (holder->since_ns && holder->since_ns <= wait->since_ns);
	stuck_edges_add(wait, other);
	stuck_graph_link(&building->graph, node, other);
}

static void wait_for_lock(struct stuck_building *building, size_t node)
{
	struct stuck_wait *wait = &building->stuck->waits[node];
	bool is_free = wait->source == STUCK_MEMORY && !wait->holder && !wait->readers;

	if (is_free)
		return;
	if (!wait->holder) {
		wait_for_crowd(building, node);
		return;
	}
	if (wait->source != STUCK_MEMORY)
		wait->source = STUCK_AT_BEGIN;
	wait_for_thread(building, node, wait->holder);
}

static void wait_for_join(struct stuck_building *building, size_t node)
{
	struct stuck_wait *wait = &building->stuck->waits[node];

	wait->source = STUCK_ARGUMENTS;
	if (wait->holder)
		wait_for_thread(building, node, wait->holder);
	else
		wait_for_crowd(building, node);
	/* a thread that has ended lets its joiner go */
	if (wait->is_held_by_dead)
		stuck_edges_need(building, node, STUCK_GO);
	wait->is_held_by_dead = false;
}

/* ---- pipes, children */

static bool has_end(const struct stuck_building *building, size_t process,
		    const struct stuck_wait *wait)
{
	uint32_t pid =
		is_known(building, process) ? building->facts->processes[process].pid_here : 0;

	if (pid)
		return process_look_pipe(pid, wait->inode, !wait->is_writing);
	for (size_t i = 0; i < building->facts->pipe_count; i++) {
		const struct stuck_pipe *pipe = &building->facts->pipes[i];

		if (pipe->process == process && pipe->device == wait->device &&
		    pipe->inode == wait->inode && pipe->is_writing != wait->is_writing)
			return true;
	}
	return false;
}

/* Whose other end is in no process of the run is idle: what it waits for is not seen. */
static void wait_for_pipe(struct stuck_building *building, size_t node)
{
	struct stuck_wait *wait = &building->stuck->waits[node];
	size_t found = 0;

	for (size_t i = 0; i < building->process_count; i++) {
		/* a process that forgot to close its own copy gives itself nothing */
		if (i == wait->process || !has_end(building, i, wait))
			continue;
		stuck_edges_need(building, node, STUCK_ONE_OF);
		stuck_graph_link(&building->graph, node, process_node(building, i));
		wait->source = STUCK_ENDS;
		stuck_edges_name(building, wait, i);
		found++;
	}
	if (!found)
		wait->state = STUCK_IDLE;
}

static void wait_for_children(struct stuck_building *building, size_t node)
{
	struct stuck_wait *wait = &building->stuck->waits[node];
	const struct run_process *own = building->processes[wait->process].file;

	for (size_t i = 0; i < building->process_count; i++) {
		const struct process *child = &building->processes[i];

		if (child->file->process.parent_pid != own->header.pid ||
		    child->life.state != LIFE_RUNNING || i == wait->process)
			continue;
		stuck_edges_need(building, node, STUCK_ONE_OF);
		stuck_graph_link(&building->graph, node, process_node(building, i));
		wait->source = STUCK_ENDS;
		stuck_edges_name(building, wait, i);
	}
}

/* ---- what kind of wait it is */

static bool has_limit(enum operation operation)
{
	static const bool has[OP_COUNT] = {
		[OP_MUTEX_TIMEDLOCK] = true,   [OP_RWLOCK_TIMEDREAD] = true,
		[OP_RWLOCK_TIMEDWRITE] = true, [OP_COND_TIMEDWAIT] = true,
		[OP_SEM_TIMEDWAIT] = true,     [OP_TIMEDJOIN] = true,
		[OP_FUTEX_TIMEDWAIT] = true,   [OP_SIGTIMEDWAIT] = true,
		[OP_SEMTIMEDOP] = true,        [OP_MQ_TIMEDRECEIVE] = true,
		[OP_MQ_TIMEDSEND] = true,
	};

	return operation < OP_COUNT && has[operation];
}

static void add_edges(struct stuck_building *building, size_t node)
{
	struct stuck_wait *wait = &building->stuck->waits[node];

	switch (wait->cause) {
	case CAUSE_MUTEX:
	case CAUSE_RWLOCK:
		wait_for_lock(building, node);
		break;
	case CAUSE_JOIN:
		wait_for_join(building, node);
		break;
	case CAUSE_MPI:
		stuck_edges_of_mpi(building, node);
		break;
	case CAUSE_PROCESS:
		wait_for_children(building, node);
		break;
	case CAUSE_READ:
	case CAUSE_WRITE:
		if (wait->object_kind == OBJECT_PIPE && wait->inode)
			wait_for_pipe(building, node);
		else
			wait->state = STUCK_IDLE;
		break;
	case CAUSE_SPINLOCK:
	case CAUSE_CONDITION:
	case CAUSE_BARRIER:
	case CAUSE_SEMAPHORE:
	case CAUSE_ONCE:
	case CAUSE_OPENMP:
	case CAUSE_FUTEX:
		wait_for_crowd(building, node);
		break;
	default:
		wait->state = wait->cause == CAUSE_SLEEP ? STUCK_LIMITED : STUCK_IDLE;
	}
}

/* The end of the last process of its host. */
static uint64_t latest_end_ns(const struct stuck_building *building, const struct process *process)
{
	uint64_t latest_ns = process->life.end_ns;

	for (size_t i = 0; i < building->process_count; i++) {
		const struct process *other = &building->processes[i];

		if (other->life.end_ns > latest_ns &&
		    !strcmp(other->file->process.host, process->file->process.host))
			latest_ns = other->life.end_ns;
	}
	return latest_ns;
}

/* Of a process that ended without a word, in a wait, nobody knows when that was: at the latest when
 * the last process of its host did. */
static void lengthen(const struct stuck_building *building, struct stuck_wait *wait)
{
	const struct process *process = &building->processes[wait->process];

	if (!wait->since_ns || process->life.state != LIFE_UNKNOWN)
		return;
	uint64_t end_ns = latest_end_ns(building, process);
	if (end_ns > wait->since_ns + wait->wait_ns)
		wait->wait_ns = end_ns - wait->since_ns;
}

static bool is_young(const struct stuck_wait *wait)
{
	return !wait->pid_here && wait->wait_ns < YOUNG_NS;
}

struct stuck_graph stuck_edges_of(struct stuck *stuck, const struct stuck_facts *facts,
				  const struct process *processes, size_t process_count)
{
	struct stuck_building building = {
		.stuck = stuck,
		.facts = facts,
		.processes = processes,
		.process_count = process_count,
	};

	for (size_t i = 0; i < stuck->count; i++)
		stuck_graph_add(&building.graph, (struct stuck_node){.need = STUCK_GO});
	building.going = stuck_graph_add(&building.graph, (struct stuck_node){.need = STUCK_GO});
	building.first_of_process = building.graph.count;
	add_processes(&building);
	fill_crowds(&building);
	for (size_t i = 0; i < stuck->count; i++) {
		struct stuck_wait *wait = &stuck->waits[i];

		wait->other_count = 0;
		wait->is_certain = wait->is_held_by_dead = false;
		wait->state = STUCK_WAITS;
		lengthen(&building, wait);
		if (!wait->since_ns || wait->has_moved || is_young(wait))
			wait->state = STUCK_RUNS;
		else if (wait->cause == CAUSE_OTHER)
			wait->state = STUCK_IDLE; /* since before it was attached to */
		else if (has_limit(wait->operation))
			wait->state = STUCK_LIMITED;
		else
			add_edges(&building, i);
	}
	return building.graph;
}
