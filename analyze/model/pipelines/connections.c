/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/pipelines/connections.h"

#include "analyze/base/memory.h"
#include "analyze/model/process/process.h"

#include <stdlib.h>
#include <string.h>

/* Clocks are set by less than this; a machine takes longer to start again. */
#define SAME_START_NS 60000000000ull

/* An end with what it is found by. */
struct candidate {
	size_t end; /* index in the ends */
	const struct pipe_end *row;
	const char *host;
	uint64_t started_ns; /* when the clock of the host began, as time of day */
	uint64_t begin_ns, end_ns;
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* 0: the same pipe, as far as its number tells. */
static int compare_pipes(const struct candidate *a, const struct candidate *b)
{
	int order = strcmp(a->host, b->host);

	if (!order)
		order = compare(a->row->kind, b->row->kind);
	if (!order)
		order = compare(a->row->device, b->row->device);
	if (!order)
		order = compare(a->row->inode, b->row->inode);
	/* a FIFO may have several names */
	if (!order && a->row->kind != PIPE_FIFO)
		order = strcmp(a->row->name, b->row->name);
	return order;
}

static int compare_candidates(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;
	int order = compare_pipes(a, b);

	if (!order)
		order = compare(a->begin_ns, b->begin_ns);
	return order ? order : compare(a->end, b->end);
}

static struct candidate candidate_of(const struct pipe_ends *ends, size_t index,
				     const struct process *processes)
{
	const struct process *process = &processes[ends->rows[index].process];
	const struct format_header *header = &process->file->header;

	return (struct candidate){
		.end = index,
		.row = &ends->rows[index],
		.host = process->file->process.host,
		.started_ns = header->start_realtime_ns - header->start_ns,
		.begin_ns = header->start_ns,
		.end_ns = process->life.end_ns,
	};
}

/* ---- the sides of one connection */

static void add_to_side(struct connection_side *side, const struct candidate *candidate,
			enum pipe_direction direction)
{
	const struct pipe_flow *flow = &candidate->row->flows[direction];

	side->ends[side->count++] = candidate->end;
	side->sum.calls += flow->calls;
	side->sum.bytes += flow->bytes;
	side->sum.waits += flow->waits;
	side->sum.wait_ns += flow->wait_ns;
	side->sum.life_ns += flow->life_ns;
}

static bool has_flow(const struct candidate *candidate, enum pipe_direction direction)
{
	const struct pipe_flow *flow = &candidate->row->flows[direction];

	return flow->calls || flow->wait_ns;
}

/* Sockets: those who connected write to those who accepted, or the other way round. */
static bool is_on_side(const struct candidate *candidate, enum pipe_direction direction,
		       bool is_from_client)
{
	bool is_socket = candidate->row->kind >= PIPE_TCP;
	bool is_client = !candidate->row->is_accepted;
	bool is_right = (direction == PIPE_WRITE) == is_from_client ? is_client : !is_client;

	return has_flow(candidate, direction) && (!is_socket || is_right);
}

static bool has_two_processes(const struct connection *connection, const struct pipe_ends *ends)
{
	for (size_t i = 0; i < connection->from.count; i++)
		for (size_t j = 0; j < connection->to.count; j++)
			if (ends->rows[connection->from.ends[i]].process !=
			    ends->rows[connection->to.ends[j]].process)
				return true;
	return false;
}

static bool add_connection(struct connections *all, const struct pipe_ends *ends,
			   const struct candidate *candidates, size_t count, bool is_from_client)
{
	struct connection connection = {
		.from.ends = memory_allocate(count, sizeof *connection.from.ends),
		.to.ends = memory_allocate(count, sizeof *connection.to.ends),
	};

	for (size_t i = 0; i < count; i++) {
		if (is_on_side(&candidates[i], PIPE_WRITE, is_from_client))
			add_to_side(&connection.from, &candidates[i], PIPE_WRITE);
		if (is_on_side(&candidates[i], PIPE_READ, is_from_client))
			add_to_side(&connection.to, &candidates[i], PIPE_READ);
	}
	uint64_t wait_ns = connection.from.sum.wait_ns + connection.to.sum.wait_ns;
	if (connection.from.count && connection.to.count) {
		all->within_ns += wait_ns;
	} else if (candidates->row->kind == PIPE_PIPE || candidates->row->kind == PIPE_FIFO) {
		all->half.wait_ns += wait_ns;
		all->half.bytes += connection.from.sum.bytes + connection.to.sum.bytes;
	}
	if (!has_two_processes(&connection, ends)) {
		free(connection.from.ends);
		free(connection.to.ends);
		return false;
	}
	all->rows = memory_grow(all->rows, all->count, &all->capacity, sizeof *all->rows);
	all->rows[all->count++] = connection;
	return true;
}

/* Candidates of one pipe whose lives touch. */
static void connect(struct connections *all, const struct pipe_ends *ends,
		    const struct candidate *candidates, size_t count)
{
	bool is_there = add_connection(all, ends, candidates, count, true);

	if (candidates->row->kind >= PIPE_TCP)
		is_there |= add_connection(all, ends, candidates, count, false);
	if (!is_there)
		all->unmatched += count;
}

/* ---- groups of the same pipe at the same time */

static bool is_together(const struct candidate *first, uint64_t last_ns,
			const struct candidate *next)
{
	uint64_t later = next->started_ns - first->started_ns; /* of a damaged file: anything */
	uint64_t earlier = first->started_ns - next->started_ns;

	return !compare_pipes(first, next) && (later < SAME_START_NS || earlier < SAME_START_NS) &&
	       next->begin_ns <= last_ns + CONNECTION_GAP_NS;
}

static size_t group_of(const struct candidate *candidates, size_t count)
{
	uint64_t last_ns = candidates->end_ns;
	size_t size = 1;

	while (size < count && is_together(candidates, last_ns, &candidates[size])) {
		if (candidates[size].end_ns > last_ns)
			last_ns = candidates[size].end_ns;
		size++;
	}
	return size;
}

struct connections connections_of(const struct pipe_ends *ends, const struct process *processes)
{
	struct connections all = {0};
	struct candidate *candidates = memory_allocate(ends->count + 1, sizeof *candidates);
	size_t count = 0;

	for (size_t i = 0; i < ends->count; i++) {
		const struct pipe_flow *flows = ends->rows[i].flows;

		if (ends->rows[i].kind != PIPE_UNSEEN) {
			candidates[count++] = candidate_of(ends, i, processes);
			continue;
		}
		all.unseen.calls += flows[PIPE_READ].calls + flows[PIPE_WRITE].calls;
		all.unseen.bytes += flows[PIPE_READ].bytes + flows[PIPE_WRITE].bytes;
	}
	qsort(candidates, count, sizeof *candidates, compare_candidates);
	for (size_t i = 0, size; i < count; i += size) {
		size = group_of(&candidates[i], count - i);
		connect(&all, ends, &candidates[i], size);
	}
	free(candidates);
	return all;
}

void connections_clear(struct connections *connections)
{
	for (size_t i = 0; i < connections->count; i++) {
		free(connections->rows[i].from.ends);
		free(connections->rows[i].to.ends);
	}
	free(connections->rows);
	*connections = (struct connections){0};
}
