/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/pipelines/pipelines.h"

#include "analyze/base/memory.h"
#include "analyze/model/pipelines/pipelines_parts.h"
#include "analyze/model/process/process.h"

#include <math.h>
#include <stdlib.h>

#define DEPTH_PASSES 64

/* ---- which processes belong together */

/* The root of a process in the forest of those that are joined. */
static size_t root_of(size_t *parents, size_t process)
{
	while (parents[process] != process)
		process = parents[process] = parents[parents[process]];
	return process;
}

static void join_side(const struct pipelines *all, size_t *parents, size_t root,
		      const struct connection_side *side)
{
	for (size_t i = 0; i < side->count; i++) {
		size_t a = root_of(parents, root);
		size_t b = root_of(parents, all->ends.rows[side->ends[i]].process);

		parents[a > b ? a : b] = a > b ? b : a;
	}
}

static size_t first_process(const struct pipelines *all, const struct connection *connection)
{
	return all->ends.rows[connection->from.ends[0]].process;
}

/* Every process's first of its pipeline. */
static size_t *pipelines_of_processes(const struct pipelines *all, size_t count)
{
	size_t *parents = memory_allocate(count + 1, sizeof *parents);

	for (size_t i = 0; i < count; i++)
		parents[i] = i;
	for (size_t i = 0; i < all->connections.count; i++) {
		const struct connection *connection = &all->connections.rows[i];
		size_t first = first_process(all, connection);

		join_side(all, parents, first, &connection->from);
		join_side(all, parents, first, &connection->to);
	}
	for (size_t i = 0; i < count; i++)
		parents[i] = root_of(parents, i);
	return parents;
}

/* ---- the order in which data flows */

static unsigned deepest(const struct pipelines *all, const struct connection_side *side,
			const unsigned *depths)
{
	unsigned most = 0;

	for (size_t i = 0; i < side->count; i++) {
		unsigned depth = depths[all->ends.rows[side->ends[i]].process];

		most = depth > most ? depth : most;
	}
	return most;
}

static bool deepen(const struct pipelines *all, unsigned *depths)
{
	bool is_changed = false;

	for (size_t i = 0; i < all->connections.count; i++) {
		const struct connection *connection = &all->connections.rows[i];
		unsigned depth = deepest(all, &connection->from, depths) + 1;

		for (size_t j = 0; j < connection->to.count; j++) {
			size_t process = all->ends.rows[connection->to.ends[j]].process;

			if (depths[process] >= depth)
				continue;
			depths[process] = depth;
			is_changed = true;
		}
	}
	return is_changed;
}

/* Where data goes in a circle the passes end it. */
static unsigned *depths_of(const struct pipelines *all, size_t count)
{
	unsigned *depths = memory_allocate(count + 1, sizeof *depths);

	for (size_t pass = 0; pass < DEPTH_PASSES && deepen(all, depths); pass++)
		continue;
	return depths;
}

/* ---- stages and pipelines */

static void mark_side(const struct pipelines *all, const struct connection_side *side, bool *marks)
{
	for (size_t i = 0; i < side->count; i++)
		marks[all->ends.rows[side->ends[i]].process] = true;
}

static int compare_stages(const void *left, const void *right)
{
	const struct stage *a = left, *b = right;

	if (a->pipeline != b->pipeline)
		return a->pipeline > b->pipeline ? 1 : -1;
	if (a->depth != b->depth)
		return a->depth > b->depth ? 1 : -1;
	return (a->process > b->process) - (a->process < b->process);
}

/* The pipeline of a stage is the index of its first process here. */
static void make_stages(struct pipelines *all, const size_t *roots, size_t count)
{
	bool *marks = memory_allocate(count + 1, sizeof *marks);
	unsigned *depths = depths_of(all, count);

	for (size_t i = 0; i < all->connections.count; i++) {
		mark_side(all, &all->connections.rows[i].from, marks);
		mark_side(all, &all->connections.rows[i].to, marks);
	}
	all->stages = memory_allocate(count + 1, sizeof *all->stages);
	for (size_t i = 0; i < count; i++)
		if (marks[i])
			all->stages[all->stage_count++] = (struct stage){
				.process = i, .pipeline = roots[i], .depth = depths[i]};
	qsort(all->stages, all->stage_count, sizeof *all->stages, compare_stages);
	free(depths);
	free(marks);
}

static double elapsed_ns(const struct pipelines *all, const struct pipeline *pipeline,
			 const struct process *processes)
{
	double first = INFINITY, last = 0;

	for (size_t i = pipeline->first; i < pipeline->first + pipeline->count; i++) {
		const struct process *process = &processes[all->stages[i].process];
		double end = (double)process->life.end_ns;

		first = fmin(first, end - (double)process->elapsed_ns);
		last = fmax(last, end);
	}
	return last > first ? last - first : 0;
}

/* One for each run of stages with one root, in the order of these. */
static void make_pipelines(struct pipelines *all, const struct process *processes,
			   size_t *pipeline_of_root)
{
	all->rows = memory_allocate(all->stage_count + 1, sizeof *all->rows);
	for (size_t i = 0; i < all->stage_count; i++) {
		struct stage *stage = &all->stages[i];

		if (!i || stage->pipeline != stage[-1].pipeline)
			all->rows[all->count++].first = i;
		all->rows[all->count - 1].count++;
		pipeline_of_root[stage->pipeline] = all->count - 1;
	}
	for (size_t i = 0; i < all->count; i++)
		all->rows[i].elapsed_ns = elapsed_ns(all, &all->rows[i], processes);
}

static void add_connections(struct pipelines *all, const size_t *roots,
			    const size_t *pipeline_of_root)
{
	for (size_t i = 0; i < all->connections.count; i++) {
		struct connection *connection = &all->connections.rows[i];
		size_t index = pipeline_of_root[roots[first_process(all, connection)]];

		connection->pipeline = index;
		all->rows[index].connections++;
		all->rows[index].wait_ns +=
			(double)connection->from.sum.wait_ns + (double)connection->to.sum.wait_ns;
	}
}

/* ---- the most waiting first */

static int compare_pipelines(const void *left, const void *right)
{
	const struct pipeline *a = left, *b = right;

	if (a->wait_ns < b->wait_ns || a->wait_ns > b->wait_ns)
		return a->wait_ns > b->wait_ns ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

struct flow_order {
	const struct pipelines *all;
	const size_t *stage_of;
};

static size_t first_stage(const struct flow_order *order, const struct connection *connection)
{
	return order->stage_of[first_process(order->all, connection)];
}

static int compare_connections(const void *left, const void *right, void *data)
{
	const struct connection *a = left, *b = right;
	size_t from = first_stage(data, a), other = first_stage(data, b);

	if (a->pipeline != b->pipeline)
		return a->pipeline > b->pipeline ? 1 : -1;
	if (from != other)
		return from > other ? 1 : -1;
	if (a->from.ends[0] != b->from.ends[0])
		return a->from.ends[0] > b->from.ends[0] ? 1 : -1;
	return (a->to.ends[0] > b->to.ends[0]) - (a->to.ends[0] < b->to.ends[0]);
}

static void sort_pipelines(struct pipelines *all, const size_t *stage_of)
{
	struct flow_order order = {all, stage_of};
	size_t *stages_at = memory_allocate(all->count + 1, sizeof *stages_at);
	size_t *numbers = memory_allocate(all->stage_count + 1, sizeof *numbers);

	for (size_t i = 0; i < all->count; i++)
		stages_at[i] = all->rows[i].first; /* what a connection's number means so far */
	qsort(all->rows, all->count, sizeof *all->rows, compare_pipelines);
	for (size_t i = 0; i < all->count; i++) {
		const struct pipeline *pipeline = &all->rows[i];

		numbers[pipeline->first] = i;
		for (size_t j = 0; j < pipeline->count; j++)
			all->stages[pipeline->first + j].pipeline = i;
	}
	for (size_t i = 0; i < all->connections.count; i++) {
		struct connection *connection = &all->connections.rows[i];

		connection->pipeline = numbers[stages_at[connection->pipeline]];
	}
	qsort_r(all->connections.rows, all->connections.count, sizeof *all->connections.rows,
		compare_connections, &order);
	free(stages_at);
	free(numbers);
}

/* Everything but the pipelines' numbers is known of the stages. */
static void group(struct pipelines *all, const struct process *processes, size_t process_count)
{
	size_t *roots = pipelines_of_processes(all, process_count);
	size_t *pipeline_of_root = memory_allocate(process_count + 1, sizeof *pipeline_of_root);

	make_stages(all, roots, process_count);
	make_pipelines(all, processes, pipeline_of_root);
	add_connections(all, roots, pipeline_of_root);
	free(pipeline_of_root);
	free(roots);
}

struct pipelines pipelines_of(struct pipe_ends ends, const struct process *processes,
			      size_t process_count)
{
	struct pipelines all = {.ends = ends};

	all.connections = connections_of(&all.ends, processes);
	if (!all.connections.count)
		return all;
	group(&all, processes, process_count);
	/* index + 1 in the stages */
	size_t *stage_of = memory_allocate(process_count + 1, sizeof *stage_of);

	for (size_t i = 0; i < all.stage_count; i++)
		stage_of[all.stages[i].process] = i + 1;
	sort_pipelines(&all, stage_of);
	pipelines_fill_stages(&all, processes, stage_of);
	pipelines_find_waiters(&all, stage_of);
	pipelines_judge(&all);
	free(stage_of);
	return all;
}

void pipelines_clear(struct pipelines *pipelines)
{
	connections_clear(&pipelines->connections);
	pipe_ends_clear(&pipelines->ends);
	free(pipelines->stages);
	free(pipelines->rows);
	*pipelines = (struct pipelines){0};
}
