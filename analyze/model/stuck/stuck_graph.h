/* SPDX-License-Identifier: MIT */
/* Who can never go on, in a graph of who waits for whom.
 *
 * A node either can go on, or needs one of its others (whoever gives what it waits for), or all of
 * them (all ranks of a collective call). A node is stuck if it cannot go on whatever those do that
 * can: the nodes that can go on are the smallest set that holds all GO, all ONE_OF with a member in
 * the set, and all ALL_OF with nothing but members. This is the AND-OR model of deadlocks (Chandy,
 * Misra, Haas 1983; Knapp 1987). ONE_OF of nobody is stuck.
 *
 * Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum stuck_need { STUCK_GO, STUCK_ONE_OF, STUCK_ALL_OF };

struct stuck_node {
	enum stuck_need need;
	bool is_crowd;  /* stands for anybody: no way of a cycle leads through it */
	bool is_silent; /* stands for a process, and is not named itself */
	size_t *others;
	size_t count, capacity;
};

struct stuck_graph {
	struct stuck_node *nodes;
	size_t count, capacity;
};

/* Returns the number of the new node. */
size_t stuck_graph_add(struct stuck_graph *graph, struct stuck_node node);
/* node waits for other. */
void stuck_graph_link(struct stuck_graph *graph, size_t node, size_t other);
/* Whether each is stuck; released by the caller. */
bool *stuck_graph_judge(const struct stuck_graph *graph);
/* A shortest cycle through `start` of stuck nodes that are no crowds, `start` first: how many nodes
 * were written to `way`, which has room for all of the graph. 0: there is none. */
size_t stuck_graph_cycle(const struct stuck_graph *graph, const bool *is_stuck, size_t start,
			 size_t *way);
void stuck_graph_clear(struct stuck_graph *graph);
