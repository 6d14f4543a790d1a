/* SPDX-License-Identifier: MIT */
/* Counted events by call path: what was counted in the own code of a node of the calling-context
 * tree, for those nodes and events of which something was.
 *
 * Nodes are numbers, events the texts that the names of the run keep: equal names are one text. The
 * sum over all nodes, [unsampled] included, is that of the routines (counters.h). Context: pure. */
#pragma once

#include "analyze/tables/merged.h"

/* The key is the node and the event. */
struct path_count {
	struct merged_path_counts;
};

struct path_counts;

struct path_counts *path_counts_create(void);
void path_counts_destroy(struct path_counts *counts);
void path_counts_add(struct path_counts *counts, const struct path_count *added);
/* NULL has none. */
size_t path_counts_count(const struct path_counts *counts);
const struct path_count *path_counts_at(const struct path_counts *counts, size_t number);
