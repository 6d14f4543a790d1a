/* SPDX-License-Identifier: MIT */
/* What the files of stuck_edges share: the graph that is being built. */
#pragma once

#include "analyze/model/process/process.h"
#include "analyze/model/stuck/stuck_graph.h"
#include "analyze/model/stuck/stuck_wait.h"

#define STUCK_NONE SIZE_MAX

struct stuck_building {
	struct stuck *stuck;
	const struct stuck_facts *facts;
	const struct process *processes;
	size_t process_count;
	struct stuck_graph graph;
	size_t going;            /* a node that can go on */
	size_t first_of_process; /* its nodes: a process, the crowd of its threads, ... */
};

/* The node that stands for a process: it can go on if any of its threads can. */
static inline size_t process_node(const struct stuck_building *building, size_t process)
{
	return building->first_of_process + 2 * process;
}

static inline bool is_known(const struct stuck_building *building, size_t process)
{
	return process < building->facts->process_count &&
	       building->facts->processes[process].is_known;
}

static inline bool is_rank(const struct stuck_building *building, size_t process)
{
	return is_known(building, process) &&
	       building->facts->processes[process].rank != MPI_NO_RANK;
}

/* Names one whom a wait is for. */
void stuck_edges_add(struct stuck_wait *wait, size_t other);
/* Sets what the node of a wait needs. */
void stuck_edges_need(struct stuck_building *building, size_t node, enum stuck_need need);
/* Names the threads of a process as those whom a wait is for: if there are several, for whom of
 * them nobody knows. */
void stuck_edges_name(struct stuck_building *building, struct stuck_wait *wait, size_t process);

/* Of a wait in a call of MPI. */
void stuck_edges_of_mpi(struct stuck_building *building, size_t node);
