/* SPDX-License-Identifier: MIT */
#include "analyze/model/stuck/stuck_graph.h"

#include "analyze/base/memory.h"

#include <stdlib.h>

size_t stuck_graph_add(struct stuck_graph *graph, struct stuck_node node)
{
	graph->nodes =
		memory_grow(graph->nodes, graph->count, &graph->capacity, sizeof *graph->nodes);
	graph->nodes[graph->count] = node;
	return graph->count++;
}

void stuck_graph_link(struct stuck_graph *graph, size_t number, size_t other)
{
	struct stuck_node *node = &graph->nodes[number];

	node->others =
		memory_grow(node->others, node->count, &node->capacity, sizeof *node->others);
	node->others[node->count++] = other;
}

static bool can_go(const struct stuck_node *node, const bool *is_stuck)
{
	size_t going = 0;

	if (node->need == STUCK_GO)
		return true;
	for (size_t i = 0; i < node->count; i++)
		going += !is_stuck[node->others[i]];
	return node->need == STUCK_ONE_OF ? going > 0 : going == node->count;
}

bool *stuck_graph_judge(const struct stuck_graph *graph)
{
	bool *is_stuck = memory_allocate(graph->count + 1, sizeof *is_stuck);
	bool has_changed = true;

	for (size_t i = 0; i < graph->count; i++)
		is_stuck[i] = true;
	while (has_changed) {
		has_changed = false;
		for (size_t i = 0; i < graph->count; i++) {
			if (!is_stuck[i] || !can_go(&graph->nodes[i], is_stuck))
				continue;
			is_stuck[i] = false;
			has_changed = true;
		}
	}
	return is_stuck;
}

/* Breadth first: from[i] is the node through which i was reached first, + 1. */
static bool search(const struct stuck_graph *graph, const bool *is_stuck, size_t start,
		   size_t *from, size_t *queue)
{
	size_t head = 0, tail = 0;

	queue[tail++] = start;
	while (head < tail) {
		const struct stuck_node *node = &graph->nodes[queue[head]];

		for (size_t i = 0; i < node->count; i++) {
			size_t other = node->others[i];

			if (!is_stuck[other] || graph->nodes[other].is_crowd || from[other])
				continue;
			from[other] = queue[head] + 1;
			if (other == start)
				return true;
			queue[tail++] = other;
		}
		head++;
	}
	return false;
}

size_t stuck_graph_cycle(const struct stuck_graph *graph, const bool *is_stuck, size_t start,
			 size_t *way)
{
	size_t *from = memory_allocate(graph->count + 1, sizeof *from);
	size_t *queue = memory_allocate(graph->count + 1, sizeof *queue);
	size_t length = 0;

	if (is_stuck[start] && !graph->nodes[start].is_crowd &&
	    search(graph, is_stuck, start, from, queue)) {
		for (size_t at = from[start] - 1; at != start; at = from[at] - 1)
			length++;
		way[0] = start;
		for (size_t at = from[start] - 1, i = length; at != start; at = from[at] - 1)
			way[i--] = at;
		length++;
	}
	free(from);
	free(queue);
	return length;
}

void stuck_graph_clear(struct stuck_graph *graph)
{
	for (size_t i = 0; i < graph->count; i++)
		free(graph->nodes[i].others);
	free(graph->nodes);
	*graph = (struct stuck_graph){0};
}
