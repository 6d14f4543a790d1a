/* SPDX-License-Identifier: MIT */
/* Ways by tail calls from routine 0 to routine 1: told if there is one, and no other. */
#include "analyze/symbols/tail_graph.h"
#include "tests/unit/unit.h"

#include <stdarg.h>

#define ROUTINES 6

enum { END = -1, ANYWHERE = -2 };

/* The jumps of routine 0, of routine 1, ...: each list ends with END. */
struct scene {
	int jumps[ROUTINES][ROUTINES];
	int way[ROUTINES + 1]; /* ends with END */
};

static void check(const struct scene *scene)
{
	size_t jumps[ROUTINES][ROUTINES], way[ROUTINES], wanted = 0;
	struct tail_routine routines[ROUTINES];

	for (size_t i = 0; i < ROUTINES; i++) {
		size_t count = 0;

		for (const int *jump = scene->jumps[i]; *jump != END; jump++)
			jumps[i][count++] = *jump == ANYWHERE ? TAIL_ANYWHERE : (size_t)*jump;
		routines[i] = (struct tail_routine){jumps[i], count};
	}
	size_t length = tail_graph_way(routines, ROUTINES, 0, 1, way);

	while (scene->way[wanted] != END)
		wanted++;
	ck_assert_uint_eq(length, wanted);
	for (size_t i = 0; i < length; i++)
		ck_assert_uint_eq(way[i], (size_t)scene->way[i]);
}

/* Lists of jumps that are not given are empty: END. */
#define NO_MORE                                                                                    \
	{                                                                                          \
		END                                                                                \
	}
#define SCENE(...) check(&(const struct scene){__VA_ARGS__})

START_TEST(the_only_way_is_told)
{
	/* directly */
	SCENE({{1, END}, NO_MORE, NO_MORE, NO_MORE, NO_MORE, NO_MORE}, { 0, END });
	/* through 2 and 3 */
	SCENE({{2, END}, NO_MORE, {3, END}, {1, END}, NO_MORE, NO_MORE}, { 0, 2, 3, END });
	/* from two places of the same routine */
	SCENE({{1, 1, END}, NO_MORE, NO_MORE, NO_MORE, NO_MORE, NO_MORE}, { 0, END });
}
END_TEST

START_TEST(what_does_not_lead_to_the_target_does_not_matter)
{
	/* a dead end, and a ring that is one */
	SCENE({{2, 1, END}, NO_MORE, {3, END}, {2, END}, NO_MORE, NO_MORE}, { 0, END });
	/* where the target itself goes on to, also if that is not known */
	SCENE({{1, END}, {2, ANYWHERE, END}, NO_MORE, NO_MORE, NO_MORE, NO_MORE}, { 0, END });
	/* a jump to an unknown place in a routine that is not on the way */
	SCENE({{1, END}, NO_MORE, {ANYWHERE, END}, NO_MORE, NO_MORE, NO_MORE}, { 0, END });
}
END_TEST

START_TEST(of_several_ways_none_is_told)
{
	/* through 2 or 3; directly or through 2 */
	SCENE({{2, 3, END}, NO_MORE, {1, END}, {1, END}, NO_MORE, NO_MORE}, { END });
	SCENE({{1, 2, END}, NO_MORE, {1, END}, NO_MORE, NO_MORE, NO_MORE}, { END });
	/* further on */
	SCENE({{2, END}, NO_MORE, {3, 4, END}, {1, END}, {1, END}, NO_MORE}, { END });
}
END_TEST

START_TEST(a_ring_on_the_way_leaves_it_open)
{
	/* 2 and 3 in turn; the target and 2 in turn; back to the begin */
	SCENE({{2, END}, NO_MORE, {3, END}, {2, 1, END}, NO_MORE, NO_MORE}, { END });
	SCENE({{1, END}, {2, END}, {1, END}, NO_MORE, NO_MORE, NO_MORE}, { END });
	SCENE({{1, 2, END}, NO_MORE, {0, END}, NO_MORE, NO_MORE, NO_MORE}, { END });
}
END_TEST

START_TEST(a_jump_to_an_unknown_place_leaves_it_open)
{
	SCENE({{ANYWHERE, END}, NO_MORE, NO_MORE, NO_MORE, NO_MORE, NO_MORE}, { END });
	SCENE({{1, ANYWHERE, END}, NO_MORE, NO_MORE, NO_MORE, NO_MORE, NO_MORE}, { END });
	SCENE({{ANYWHERE, 1, END}, NO_MORE, NO_MORE, NO_MORE, NO_MORE, NO_MORE}, { END });
	/* beside the way */
	SCENE({{1, 2, END}, NO_MORE, {ANYWHERE, END}, NO_MORE, NO_MORE, NO_MORE}, { END });
}
END_TEST

START_TEST(without_a_way_there_is_none)
{
	SCENE({NO_MORE, NO_MORE, NO_MORE, NO_MORE, NO_MORE, NO_MORE}, { END });
	SCENE({{2, END}, {0, END}, {3, END}, NO_MORE, NO_MORE, NO_MORE}, { END });
}
END_TEST

UNIT_MAIN("tail graph", the_only_way_is_told, what_does_not_lead_to_the_target_does_not_matter,
	  of_several_ways_none_is_told, a_ring_on_the_way_leaves_it_open,
	  a_jump_to_an_unknown_place_leaves_it_open, without_a_way_there_is_none)
