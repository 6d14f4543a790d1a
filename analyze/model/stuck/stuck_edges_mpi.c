/* SPDX-License-Identifier: MIT */
/* Whom waits in MPI calls are for. */
#include "analyze/model/stuck/stuck_edges_parts.h"

#include <string.h>

#define ANY_RANK UINT32_MAX

enum { MESSAGE_NS = 1000000000 }; /* a message that is on its way arrives within this time */

static size_t find_rank(const struct stuck_building *building, uint64_t job, uint64_t rank)
{
	for (size_t i = 0; i < building->process_count; i++)
		if (is_rank(building, i) && building->facts->processes[i].job == job &&
		    building->facts->processes[i].rank == rank)
			return i;
	return STUCK_NONE;
}

static void wait_for_rank(struct stuck_building *building, size_t node, uint64_t rank)
{
	struct stuck_wait *wait = &building->stuck->waits[node];
	size_t process = find_rank(building, wait->job, rank);

	if (process == STUCK_NONE)
		return; /* its profile is not here: who knows */
	stuck_edges_need(building, node, STUCK_ONE_OF);
	stuck_graph_link(&building->graph, node, process_node(building, process));
	wait->source = STUCK_ARGUMENTS;
	wait->is_held_by_dead = !building->facts->processes[process].threads;
	wait->is_certain = wait->requests <= 1 && wait->wait_ns >= MESSAGE_NS;
	stuck_edges_name(building, wait, process);
}

/* Any rank of the job. */
static void wait_for_job(struct stuck_building *building, size_t node)
{
	const struct stuck_wait *wait = &building->stuck->waits[node];
	const uint64_t size = building->facts->processes[wait->process].size;
	size_t crowd = stuck_graph_add(
		&building->graph,
		(struct stuck_node){.need = STUCK_ONE_OF, .is_crowd = true, .is_silent = true});
	size_t found = 0;

	stuck_edges_need(building, node, STUCK_ONE_OF);
	stuck_graph_link(&building->graph, node, crowd);
	for (size_t i = 0; i < building->process_count; i++) {
		if (!is_rank(building, i) || building->facts->processes[i].job != wait->job)
			continue;
		found++;
		if (i != wait->process)
			stuck_graph_link(&building->graph, crowd, process_node(building, i));
	}
	if (found < size)
		stuck_graph_link(&building->graph, crowd, building->going);
}

static bool is_life(const struct stuck_wait *wait)
{
	return !strcmp(wait->call, "MPI_Finalize") || !strcmp(wait->call, "MPI_Init") ||
	       !strcmp(wait->call, "MPI_Init_thread");
}

/* Is some thread of the process in the same collective call? */
static bool is_in_call(const struct stuck_building *building, size_t process,
		       const struct stuck_wait *wait)
{
	for (size_t i = 0; i < building->stuck->count; i++) {
		const struct stuck_wait *other = &building->stuck->waits[i];

		if (other->process != process || other->cause != CAUSE_MPI || !other->since_ns)
			continue;
		if (wait->sequence
			    ? other->instance == wait->instance && other->sequence == wait->sequence
			    : is_life(wait) && !strcmp(other->call, wait->call))
			return true;
	}
	return false;
}

/* Is it one of its members, and had it entered the call, or not? */
static bool is_member(const struct stuck_building *building, size_t process,
		      const struct stuck_wait *wait, bool *has_entered)
{
	*has_entered = is_in_call(building, process, wait);
	for (size_t i = 0; i < building->facts->comm_count; i++) {
		const struct stuck_comm *comm = &building->facts->comms[i];

		if (comm->process != process || comm->identity != wait->instance)
			continue;
		*has_entered |= wait->sequence && comm->collectives >= wait->sequence;
		return true;
	}
	return *has_entered || wait->comm_size == building->facts->processes[wait->process].size ||
	       is_life(wait);
}

/* All members that have not entered it must come. */
static void wait_for_members(struct stuck_building *building, size_t node)
{
	struct stuck_wait *wait = &building->stuck->waits[node];
	uint64_t size =
		is_life(wait) ? building->facts->processes[wait->process].size : wait->comm_size;
	size_t members = 0, missing = 0;
	bool has_entered;

	for (size_t i = 0; i < building->process_count; i++) {
		if (!is_rank(building, i) || building->facts->processes[i].job != wait->job ||
		    !is_member(building, i, wait, &has_entered))
			continue;
		members++;
		if (has_entered)
			continue;
		missing++;
		stuck_edges_need(building, node, STUCK_ALL_OF);
		stuck_graph_link(&building->graph, node, process_node(building, i));
		wait->is_held_by_dead |= !building->facts->processes[i].threads;
		stuck_edges_name(building, wait, i);
	}
	wait->source = missing ? STUCK_ARGUMENTS : STUCK_UNKNOWN;
	wait->is_certain = members == size && missing && wait->wait_ns >= MESSAGE_NS;
	/* where all have come, data are on their way */
}

void stuck_edges_of_mpi(struct stuck_building *building, size_t node)
{
	const struct stuck_wait *wait = &building->stuck->waits[node];

	if (building->facts->processes[wait->process].size <= 1 && wait->peer != ANY_RANK &&
	    !wait->peer)
		return;
	if (wait->sequence || is_life(wait))
		wait_for_members(building, node);
	else if (wait->peer && wait->peer != ANY_RANK)
		wait_for_rank(building, node, wait->peer - 1);
	else
		wait_for_job(building, node);
}
