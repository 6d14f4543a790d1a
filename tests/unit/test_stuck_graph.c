/* SPDX-License-Identifier: MIT */
/* Who is stuck, and in which cycle: on random graphs, compared with what trying everything finds. */
#include "analyze/model/stuck/stuck_graph.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

enum { NODES = 9, GRAPHS = 1000 };

static unsigned seed = 7;

static unsigned chance(unsigned below)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 16) % below;
}

static struct stuck_graph random_graph(void)
{
	struct stuck_graph graph = {0};
	unsigned going = 1 + chance(6);

	for (size_t i = 0; i < NODES; i++) {
		bool is_going = !chance(going);

		stuck_graph_add(&graph, (struct stuck_node){
						.need = is_going    ? STUCK_GO
							: chance(2) ? STUCK_ONE_OF
								    : STUCK_ALL_OF,
						.is_crowd = !chance(5)});
	}
	for (size_t i = 0; i < NODES; i++)
		for (size_t j = 0, count = chance(3); j < count; j++)
			stuck_graph_link(&graph, i, chance(NODES));
	return graph;
}

/* Could all of a set wait for ever, if nobody outside of it does? */
static bool is_closed(const struct stuck_graph *graph, unsigned set)
{
	for (size_t i = 0; i < graph->count; i++) {
		const struct stuck_node *node = &graph->nodes[i];
		size_t inside = 0;

		if (!(set >> i & 1))
			continue;
		for (size_t j = 0; j < node->count; j++)
			inside += set >> node->others[j] & 1;
		if (node->need == STUCK_GO || (node->need == STUCK_ONE_OF && inside < node->count) ||
		    (node->need == STUCK_ALL_OF && !inside))
			return false;
	}
	return true;
}

/* The union of all such sets. */
static unsigned closed_of(const struct stuck_graph *graph)
{
	unsigned all = 0;

	for (unsigned set = 0; set < 1u << NODES; set++)
		if (is_closed(graph, set))
			all |= set;
	return all;
}

/* Length of a shortest way from `at` to `goal`, of at most `left` steps; 0: none. */
static size_t shortest(const struct stuck_graph *graph, const bool *is_stuck, size_t at, size_t goal,
		       size_t left)
{
	const struct stuck_node *node = &graph->nodes[at];
	size_t best = 0;

	for (size_t i = 0; left && i < node->count; i++) {
		size_t other = node->others[i];

		if (!is_stuck[other] || graph->nodes[other].is_crowd)
			continue;
		size_t rest = other == goal
				      ? 1
				      : shortest(graph, is_stuck, other, goal, left - 1);
		size_t length = other == goal ? 1 : rest ? rest + 1 : 0;

		if (length && (!best || length < best))
			best = length;
	}
	return best;
}

static void check_way(const struct stuck_graph *graph, const size_t *way, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const struct stuck_node *node = &graph->nodes[way[i]];
		bool has = false;

		for (size_t j = 0; j < node->count; j++)
			has |= node->others[j] == way[(i + 1) % length];
		ck_assert(has);
	}
}

START_TEST(random_graphs_are_judged_as_by_trying_everything)
{
	size_t stuck_nodes = 0, going_nodes = 0, cycles = 0;

	for (int round = 0; round < GRAPHS; round++) {
		struct stuck_graph graph = random_graph();
		bool *is_stuck = stuck_graph_judge(&graph);
		unsigned wanted = closed_of(&graph);
		size_t way[NODES];

		for (size_t i = 0; i < NODES; i++) {
			ck_assert_int_eq(is_stuck[i], wanted >> i & 1);
			stuck_nodes += is_stuck[i];
			going_nodes += !is_stuck[i];
			size_t length = stuck_graph_cycle(&graph, is_stuck, i, way);
			bool may = is_stuck[i] && !graph.nodes[i].is_crowd;

			ck_assert_uint_eq(length,
					  may ? shortest(&graph, is_stuck, i, i, NODES) : 0);
			if (length)
				ck_assert_uint_eq(way[0], i);
			check_way(&graph, way, length);
			cycles += length > 1;
		}
		free(is_stuck);
		stuck_graph_clear(&graph);
	}
	/* all sorts were among them */
	ck_assert_uint_gt(stuck_nodes, 500);
	ck_assert_uint_gt(going_nodes, 500);
	ck_assert_uint_gt(cycles, 100);
}
END_TEST

START_TEST(one_of_nobody_is_stuck)
{
	struct stuck_graph graph = {0};
	size_t way[2];

	stuck_graph_add(&graph, (struct stuck_node){.need = STUCK_ONE_OF});
	stuck_graph_add(&graph, (struct stuck_node){.need = STUCK_ALL_OF});
	bool *is_stuck = stuck_graph_judge(&graph);

	ck_assert(is_stuck[0]);
	ck_assert(!is_stuck[1]);
	ck_assert_uint_eq(stuck_graph_cycle(&graph, is_stuck, 0, way), 0);
	free(is_stuck);
	stuck_graph_clear(&graph);
}
END_TEST

UNIT_MAIN("stuck_graph", random_graphs_are_judged_as_by_trying_everything, one_of_nobody_is_stuck)
