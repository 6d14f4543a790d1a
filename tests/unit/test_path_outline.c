/* SPDX-License-Identifier: MIT */
/* Call trees as outlines: what adds up, what is folded, recursion. */
#include "analyze/base/memory.h"
#include "analyze/model/paths/path_outline.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/told_tree.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static const char *name_at(const struct path_outline *outline, size_t row)
{
	return names_routine(told_names, outline->rows[row].routine)->name;
}

/* Total = self + rows below + folded, and the order is that of a reader. */
static void check_sums(const struct path_outline *outline)
{
	for (size_t i = 0; i < outline->count; i++) {
		const struct path_row *row = &outline->rows[i];
		uint64_t sum = row->self_ns + row->folded_ns;

		for (size_t child = i + 1; child < outline->count; child++)
			if (outline->rows[child].parent == i) {
				sum += outline->rows[child].total_ns;
				ck_assert_uint_eq(outline->rows[child].depth, row->depth + 1);
			}
		ck_assert_uint_eq(row->total_ns, sum);
		ck_assert(!i || row->parent < i);
	}
}

START_TEST(callers_stand_above_what_they_call)
{
	static const struct told told[] = {{0, "", 0, 0},        {0, "main", 10, 0},
					   {1, "small", 200, 0}, {1, "large", 0, 0},
					   {3, "leaf", 700, 0},  {0, "start", 90, 0}};
	static const char *const order[] = {"", "main", "large", "leaf", "small", "start"};

	told_setup();
	struct path_tree tree = told_tree(told, 6);
	struct path_outline outline = path_outline_of(&tree, told_names, PATH_CPU, 10);

	ck_assert_uint_eq(outline.count, 6);
	for (size_t i = 1; i < 6; i++)
		ck_assert_str_eq(name_at(&outline, i), order[i]);
	check_sums(&outline);
	ck_assert_uint_eq(outline.rows[0].total_ns, 1000);
	ck_assert_uint_eq(outline.rows[1].total_ns, 910);
	ck_assert(outline.rows[3].is_only && !outline.rows[2].is_only);
	ck_assert(outline.rows[4].is_last && outline.rows[5].is_last && !outline.rows[1].is_last);
	path_outline_clear(&outline);
	path_tree_clear(&tree);
	told_teardown();
}
END_TEST

START_TEST(ends_are_limited_and_nothing_is_lost)
{
	enum { LEAVES = 40 };
	struct told told[LEAVES + 2] = {{0, "", 0, 0}, {0, "main", 1, 0}};

	for (size_t i = 0; i < LEAVES; i++)
		told[i + 2] = (struct told){1, "leaf", 1000 + 50 * i, 0};
	told_setup();
	struct path_tree tree = told_tree(told, LEAVES + 2);
	struct path_outline few = path_outline_of(&tree, told_names, PATH_CPU, 5),
			    all = path_outline_of(&tree, told_names, PATH_CPU, 0);

	check_sums(&few);
	check_sums(&all);
	ck_assert_uint_eq(all.count, LEAVES + 2);
	ck_assert_uint_eq(all.folded, 0);
	ck_assert_uint_le(few.count, 2 + 5);
	ck_assert_uint_eq(few.count + few.folded, LEAVES + 2);
	ck_assert_uint_eq(few.rows[1].folded_count, few.folded);
	ck_assert_uint_eq(few.rows[0].total_ns, all.rows[0].total_ns);
	ck_assert(few.rows[1].folded_ns > 0 && path_outline_tells_folded(&few, 1));
	path_outline_clear(&few);
	path_outline_clear(&all);
	path_tree_clear(&tree);
	told_teardown();
}
END_TEST

START_TEST(recursion_is_one_row)
{
	/* f calls itself twice and then g, which calls f again */
	static const struct told told[] = {{0, "", 0, 0},   {0, "main", 0, 0}, {1, "f", 10, 0},
					   {2, "f", 20, 0}, {3, "f", 30, 0},   {4, "g", 40, 0},
					   {5, "f", 50, 0}};

	told_setup();
	struct path_tree tree = told_tree(told, 7);
	struct path_outline outline = path_outline_of(&tree, told_names, PATH_CPU, 0);

	ck_assert_uint_eq(outline.count, 5);
	ck_assert_uint_eq(outline.rows[2].levels, 3);
	ck_assert_uint_eq(outline.rows[2].self_ns, 60);
	ck_assert(outline.rows[2].is_again && !outline.rows[3].is_again);
	ck_assert_uint_eq(outline.rows[4].levels, 1);
	ck_assert(outline.rows[4].is_again);
	check_sums(&outline);
	path_outline_clear(&outline);
	path_tree_clear(&tree);
	told_teardown();
}
END_TEST

START_TEST(a_deep_stack_is_cut_and_told)
{
	enum { DEPTH = PATH_LAYOUT_DEPTH + 20 };
	struct told *told = memory_allocate(DEPTH, sizeof *told);

	for (size_t i = 0; i < DEPTH; i++)
		told[i] =
			(struct told){i ? i - 1 : 0, i % 2 ? "f" : "g", i + 1 == DEPTH ? 5 : 0, 0};
	told_setup();
	struct path_tree tree = told_tree(told, DEPTH);
	struct path_outline outline = path_outline_of(&tree, told_names, PATH_CPU, 0);

	ck_assert(outline.is_bounded);
	ck_assert_uint_eq(outline.folded, 20);
	ck_assert_uint_eq(outline.rows[outline.count - 1].folded_ns, 5);
	check_sums(&outline);
	path_outline_clear(&outline);
	path_tree_clear(&tree);
	told_teardown();
	free(told);
}
END_TEST

START_TEST(every_scene_adds_up)
{
	for (size_t i = 0; i < scene_count; i++) {
		struct scene_run scene;
		const char *one[] = {scenes[i].name, NULL};

		scene_run_read(&scene, one);
		scene_run_model(&scene, RUN_PATHS);
		for (enum path_measure m = 0; m < PATH_MEASURES; m++) {
			struct path_outline outline =
				path_outline_of(&scene.run->paths, scene.run->names, m, 3);

			check_sums(&outline);
			if (outline.count && m == PATH_CPU)
				ck_assert_uint_eq(outline.rows[0].total_ns, scene.run->cpu_ns);
			path_outline_clear(&outline);
		}
		scene_run_clear(&scene);
	}
}
END_TEST

UNIT_MAIN("path_outline", callers_stand_above_what_they_call, ends_are_limited_and_nothing_is_lost,
	  recursion_is_one_row, a_deep_stack_is_cut_and_told, every_scene_adds_up)
