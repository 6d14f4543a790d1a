/* SPDX-License-Identifier: MIT */
/* A calling-context tree as a layout of boxes: the geometry of a flame graph.
 *
 * For one measure: a box is as wide as its node's share of the whole, and below it are the nodes
 * that it called, the widest first. A node narrower than `least` of the whole, or deeper than
 * PATH_LAYOUT_DEPTH, has no box; its time is part of its callers' boxes. Context: pure. */
#pragma once

#include "analyze/model/paths/path_tree.h"

#define PATH_LAYOUT_LEAST 0.001
#define PATH_LAYOUT_DEPTH 256

enum path_measure {
	PATH_CPU,     /* CPU time */
	PATH_ALONE,   /* the part of it while no other thread of the process was on a processor */
	PATH_WAITING, /* waits */
	PATH_MEASURES
};

struct path_box {
	size_t node;
	size_t parent; /* index of a box before it; of the root its own */
	unsigned depth;
	double start, width; /* fractions of the whole */
	uint64_t total_ns, self_ns;
};

struct path_layout {
	struct path_box *boxes; /* a parent before its children; the first is the root */
	size_t count;           /* 0: nothing was measured */
	unsigned depth;         /* of the deepest box, + 1 */
	uint64_t total_ns;
	double least;  /* smallest fraction of the whole that has a box */
	size_t hidden; /* nodes with time but without a box */
};

uint64_t path_figures_of(const struct path_figures *figures, enum path_measure measure);

/* totals: path_tree_totals of the tree. At most `boxes_max` boxes: `least` is raised until they
 * suffice; it begins as PATH_LAYOUT_LEAST, or as the caller says. */
struct path_layout path_layout_of(const struct path_tree *tree, const struct path_figures *totals,
				  const struct names *names, enum path_measure measure,
				  size_t boxes_max);
struct path_layout path_layout_from(const struct path_tree *tree, const struct path_figures *totals,
				    const struct names *names, enum path_measure measure,
				    size_t boxes_max, double least);
void path_layout_clear(struct path_layout *layout);
