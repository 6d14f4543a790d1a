/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1 /* qsort_r */
#include "analyze/model/paths/path_layout.h"

#include "analyze/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Nodes that have a box, sorted by parent and then by width; and where the children of each
 * begin. */
struct order {
	const struct path_tree *tree;
	const struct path_figures *totals;
	const struct names *names;
	enum path_measure measure;
	size_t *nodes;
	size_t count;
	size_t *first, *last; /* by node: its children are nodes[first..last) */
};

uint64_t path_figures_of(const struct path_figures *figures, enum path_measure measure)
{
	switch (measure) {
	case PATH_CPU:
		return figures->cpu_ns;
	case PATH_ALONE:
		return figures->alone_ns;
	default:
		return figures->wait_ns;
	}
}

static uint64_t total_of(const struct order *order, size_t node)
{
	return path_figures_of(&order->totals[node], order->measure);
}

static int compare_nodes(const void *left, const void *right, void *data)
{
	const struct order *order = data;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	const struct path_node *one = &order->tree->nodes[a], *other = &order->tree->nodes[b];

	if (one->parent != other->parent)
		return one->parent < other->parent ? -1 : 1;
	if (total_of(order, a) != total_of(order, b))
		return total_of(order, a) > total_of(order, b) ? -1 : 1;
	int by_name = names_compare(order->names, one->routine, other->routine);

	return by_name ? by_name : (one->line > other->line) - (one->line < other->line);
}

static void gather(struct order *order, double least_ns)
{
	order->count = 0;
	for (size_t i = 1; i < order->tree->count; i++)
		if (total_of(order, i) && (double)total_of(order, i) >= least_ns)
			order->nodes[order->count++] = i;
}

static void sort(struct order *order)
{
	qsort_r(order->nodes, order->count, sizeof *order->nodes, compare_nodes, order);
	for (size_t i = 0; i < order->count; i++) {
		size_t parent = order->tree->nodes[order->nodes[i]].parent;

		if (!i || order->tree->nodes[order->nodes[i - 1]].parent != parent)
			order->first[parent] = i;
		order->last[parent] = i + 1;
	}
}

static void add_box(struct path_layout *layout, const struct order *order, size_t node,
		    size_t parent, double start)
{
	const struct path_box *below = &layout->boxes[parent];
	uint64_t total = total_of(order, node);

	layout->boxes[layout->count] = (struct path_box){
		.node = node,
		.parent = parent,
		.depth = layout->count ? below->depth + 1 : 0,
		.start = start,
		.width = (double)total / (double)layout->total_ns,
		.total_ns = total,
		.self_ns = path_figures_of(&order->tree->nodes[node].self, order->measure),
	};
	if (layout->boxes[layout->count].depth >= layout->depth)
		layout->depth = layout->boxes[layout->count].depth + 1;
	layout->count++;
}

/* Breadth first: the boxes are their own queue. */
static void place(struct path_layout *layout, const struct order *order)
{
	add_box(layout, order, 0, 0, 0);
	for (size_t b = 0; b < layout->count; b++) {
		size_t node = layout->boxes[b].node;
		double start = layout->boxes[b].start;

		if (layout->boxes[b].depth + 1 == PATH_LAYOUT_DEPTH)
			continue;
		for (size_t i = order->first[node]; i < order->last[node]; i++) {
			add_box(layout, order, order->nodes[i], b, start);
			start += layout->boxes[layout->count - 1].width;
		}
	}
}

static size_t count_timed(const struct order *order)
{
	size_t count = 1;

	for (size_t i = 1; i < order->tree->count; i++)
		count += total_of(order, i) > 0;
	return count;
}

struct path_layout path_layout_from(const struct path_tree *tree, const struct path_figures *totals,
				    const struct names *names, enum path_measure measure,
				    size_t boxes_max, double least)
{
	struct path_layout layout = {.least = least};
	struct order order = {.tree = tree, .totals = totals, .names = names, .measure = measure};

	if (!tree->count || !total_of(&order, 0))
		return layout;
	order.nodes = memory_allocate(tree->count, sizeof *order.nodes);
	order.first = memory_allocate(tree->count, sizeof *order.first);
	order.last = memory_allocate(tree->count, sizeof *order.last);
	layout.total_ns = total_of(&order, 0);
	gather(&order, layout.least * (double)layout.total_ns);
	while (order.count >= boxes_max && layout.least < 1) {
		layout.least = fmax(1.5 * layout.least, PATH_LAYOUT_LEAST);
		gather(&order, layout.least * (double)layout.total_ns);
	}
	sort(&order);
	layout.boxes = memory_allocate(order.count + 1, sizeof *layout.boxes);
	place(&layout, &order);
	layout.hidden = count_timed(&order) - layout.count;
	free(order.nodes);
	free(order.first);
	free(order.last);
	return layout;
}

struct path_layout path_layout_of(const struct path_tree *tree, const struct path_figures *totals,
				  const struct names *names, enum path_measure measure,
				  size_t boxes_max)
{
	return path_layout_from(tree, totals, names, measure, boxes_max, PATH_LAYOUT_LEAST);
}

void path_layout_clear(struct path_layout *layout)
{
	free(layout->boxes);
	*layout = (struct path_layout){0};
}
