/* SPDX-License-Identifier: MIT */
/* The geometry of flame graphs. */
#include "analyze/base/memory.h"
#include "analyze/model/paths/path_layout.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/told_tree.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct path_layout layout_of(const struct path_tree *tree, enum path_measure measure,
				    size_t most)
{
	struct path_figures *totals = path_tree_totals(tree);
	struct path_layout layout = path_layout_of(tree, totals, told_names, measure, most);

	free(totals);
	return layout;
}

/* Children are inside their parents, side by side, and as wide as their time. */
static void check_geometry(const struct path_layout *layout)
{
	for (size_t i = 0; i < layout->count; i++) {
		const struct path_box *box = &layout->boxes[i],
				      *below = &layout->boxes[box->parent];
		double children_end = box->start;
		uint64_t children_ns = box->self_ns;

		ck_assert_double_eq_tol(box->width * (double)layout->total_ns,
					(double)box->total_ns, 1e-3);
		ck_assert(box->start >= below->start - 1e-12);
		ck_assert(box->start + box->width <= below->start + below->width + 1e-9);
		for (size_t child = i + 1; child < layout->count; child++) {
			if (layout->boxes[child].parent != i)
				continue;
			ck_assert_double_eq_tol(layout->boxes[child].start, children_end, 1e-9);
			ck_assert_uint_eq(layout->boxes[child].depth, box->depth + 1);
			children_end += layout->boxes[child].width;
			children_ns += layout->boxes[child].total_ns;
		}
		ck_assert_uint_le(children_ns, box->total_ns);
	}
}

START_TEST(the_widest_stands_first)
{
	static const struct told told[] = {{0, "", 0, 0},       {0, "main", 10, 0},
					   {1, "small", 20, 0}, {1, "large", 70, 0},
					   {3, "leaf", 100, 0}, {0, "other", 0, 5}};
	told_setup();
	struct path_tree tree = told_tree(told, 6);
	struct path_layout layout = layout_of(&tree, PATH_CPU, 100);

	ck_assert_uint_eq(layout.count, 5); /* "other" only waited */
	ck_assert_uint_eq(layout.total_ns, 200);
	ck_assert_uint_eq(layout.depth, 4);
	ck_assert_uint_eq(layout.hidden, 0);
	ck_assert_uint_eq(layout.boxes[2].node, 3);
	ck_assert_double_eq_tol(layout.boxes[2].width, 0.85, 1e-12);
	ck_assert_double_eq_tol(layout.boxes[3].start, 0.85, 1e-12);
	check_geometry(&layout);
	path_layout_clear(&layout);
	layout = layout_of(&tree, PATH_WAITING, 100);
	ck_assert_uint_eq(layout.count, 2);
	ck_assert_uint_eq(layout.boxes[1].node, 5);
	path_layout_clear(&layout);
	layout = layout_of(&tree, PATH_ALONE, 100);
	ck_assert_uint_eq(layout.count, 0);
	path_layout_clear(&layout);
	path_tree_clear(&tree);
	told_teardown();
}
END_TEST

/* 1,000 ns, of which 0.1 % is 1 ns: the child of less has no box, and is counted. */
START_TEST(what_is_too_narrow_is_counted)
{
	static const struct told told[] = {
		{0, "", 0, 0}, {0, "main", 9980, 0}, {1, "just", 11, 0}, {1, "below", 9, 0}};
	told_setup();
	struct path_tree tree = told_tree(told, 4);
	struct path_layout layout = layout_of(&tree, PATH_CPU, 100);

	ck_assert_uint_eq(layout.count, 3);
	ck_assert_uint_eq(layout.hidden, 1);
	ck_assert_uint_eq(layout.boxes[1].total_ns, 10000);
	path_layout_clear(&layout);
	path_tree_clear(&tree);
	told_teardown();
}
END_TEST

START_TEST(boxes_are_bounded)
{
	enum { LEAVES = 900 };
	struct told *told = memory_allocate(LEAVES + 1, sizeof *told);

	told[0] = (struct told){0, "", 0, 0};
	for (size_t i = 1; i <= LEAVES; i++)
		told[i] = (struct told){0, "leaf", 1000 + i, 0};
	told_setup();
	struct path_tree tree = told_tree(told, LEAVES + 1);
	struct path_layout layout = layout_of(&tree, PATH_CPU, 300);

	ck_assert_uint_le(layout.count, 300);
	ck_assert_uint_eq(layout.count + layout.hidden, LEAVES + 1);
	ck_assert(layout.least > PATH_LAYOUT_LEAST);
	path_layout_clear(&layout);
	path_tree_clear(&tree);
	told_teardown();
	free(told);
}
END_TEST

START_TEST(a_deep_stack_is_cut)
{
	enum { DEPTH = PATH_LAYOUT_DEPTH + 20 };
	struct told *told = memory_allocate(DEPTH, sizeof *told);

	for (size_t i = 0; i < DEPTH; i++)
		told[i] = (struct told){i ? i - 1 : 0, i ? "f" : "", i + 1 == DEPTH ? 5 : 0, 0};
	told_setup();
	struct path_tree tree = told_tree(told, DEPTH);
	struct path_layout layout = layout_of(&tree, PATH_CPU, 1000);

	ck_assert_uint_eq(layout.depth, PATH_LAYOUT_DEPTH);
	ck_assert_uint_eq(layout.hidden, 20);
	path_layout_clear(&layout);
	path_tree_clear(&tree);
	told_teardown();
	free(told);
}
END_TEST

START_TEST(every_scene_has_a_geometry)
{
	for (size_t i = 0; i < scene_count; i++) {
		struct scene_run scene;
		const char *one[] = {scenes[i].name, NULL};

		scene_run_read(&scene, one);
		scene_run_model(&scene, RUN_PATHS);
		struct path_figures *totals = path_tree_totals(&scene.run->paths);

		for (enum path_measure m = 0; scene.run->paths.count && m < PATH_MEASURES; m++) {
			struct path_layout layout =
				path_layout_of(&scene.run->paths, totals, scene.run->names, m, 500);

			ck_assert_uint_eq(layout.total_ns, path_figures_of(&totals[0], m));
			check_geometry(&layout);
			path_layout_clear(&layout);
		}
		free(totals);
		scene_run_clear(&scene);
	}
}
END_TEST

UNIT_MAIN("path_layout", the_widest_stands_first, what_is_too_narrow_is_counted, boxes_are_bounded,
	  a_deep_stack_is_cut, every_scene_has_a_geometry)
