/* SPDX-License-Identifier: MIT */
#include "analyze/model/paths/path_outline.h"

#include "analyze/base/memory.h"

#include <stdlib.h>

#define RAISE 1.1

/* Boxes of a layout, breadth first: the children of a box are adjacent, the widest first. */
struct family {
	size_t first, count; /* boxes */
};

struct build {
	const struct path_tree *tree;
	const struct path_layout *layout;
	struct family *families; /* of the boxes */
	size_t *callees;         /* of each node: nodes with time right below it */
	struct path_outline *outline;
};

static struct family *families_of(const struct path_layout *layout)
{
	struct family *families = memory_allocate(layout->count, sizeof *families);

	for (size_t i = 1; i < layout->count; i++) {
		struct family *family = &families[layout->boxes[i].parent];

		family->first = family->count ? family->first : i;
		family->count++;
	}
	return families;
}

static size_t count_ends(const struct path_layout *layout)
{
	struct family *families = families_of(layout);
	size_t ends = 0;

	for (size_t i = 0; i < layout->count; i++)
		ends += !families[i].count;
	free(families);
	return ends;
}

static struct path_layout choose(const struct path_tree *tree, const struct path_figures *totals,
				 const struct names *names, enum path_measure measure, size_t ends)
{
	double least = ends ? PATH_OUTLINE_LEAST : 0;
	struct path_layout layout =
		path_layout_from(tree, totals, names, measure, PATH_OUTLINE_ROWS, least);

	while (ends && layout.count && layout.least < 1 && count_ends(&layout) > ends) {
		least = layout.least * RAISE;
		path_layout_clear(&layout);
		layout = path_layout_from(tree, totals, names, measure, PATH_OUTLINE_ROWS, least);
	}
	return layout;
}

static size_t *callees_of(const struct path_tree *tree, const struct path_figures *totals,
			  enum path_measure measure)
{
	size_t *callees = memory_allocate(tree->count, sizeof *callees);

	for (size_t i = 1; i < tree->count; i++)
		callees[tree->nodes[i].parent] += path_figures_of(&totals[i], measure) > 0;
	return callees;
}

static bool is_again(const struct path_outline *outline, size_t row)
{
	for (size_t at = outline->rows[row].parent; at; at = outline->rows[at].parent)
		if (outline->rows[at].routine == outline->rows[row].routine)
			return true;
	return false;
}

/* Adds the box to the row; a box below it that is the same routine is a level more. */
static void add_box(const struct build *build, struct path_row *row, size_t box)
{
	const struct path_box *boxes = build->layout->boxes;
	const struct family *family = &build->families[box];
	uint64_t called_ns = 0;

	for (size_t i = 0; i < family->count; i++)
		called_ns += boxes[family->first + i].total_ns;
	row->levels++;
	row->self_ns += boxes[box].self_ns;
	row->folded_ns += boxes[box].total_ns - boxes[box].self_ns - called_ns;
	row->folded_count += build->callees[boxes[box].node] - family->count;
	row->is_inferred |= build->tree->nodes[boxes[box].node].is_inferred;
}

/* Does the box call itself and, as far as there are boxes, nothing else? */
static bool is_recursion(const struct build *build, size_t box)
{
	const struct family *family = &build->families[box];
	const struct path_box *boxes = build->layout->boxes;
	const struct path_node *nodes = build->tree->nodes;

	return box && family->count == 1 &&
	       nodes[boxes[family->first].node].routine == nodes[boxes[box].node].routine;
}

/* Appends the row of a box and of its levels of recursion; returns the last of these. */
static size_t add_row(struct build *build, size_t box, size_t parent)
{
	struct path_outline *outline = build->outline;
	size_t node = build->layout->boxes[box].node, index = outline->count++;
	struct path_row *row = &outline->rows[index];

	*row = (struct path_row){
		.parent = parent,
		.routine = build->tree->nodes[node].routine,
		.depth = index ? outline->rows[parent].depth + 1 : 0,
		.total_ns = build->layout->boxes[box].total_ns,
	};
	add_box(build, row, box);
	while (is_recursion(build, box)) {
		box = build->families[box].first;
		add_box(build, row, box);
	}
	row->is_again = row->levels > 1 || is_again(outline, index);
	return box;
}

bool path_outline_tells_folded(const struct path_outline *outline, size_t row)
{
	double ns = (double)outline->rows[row].folded_ns;

	return ns > 0 && ns >= outline->least * (double)outline->rows[0].total_ns;
}

/* Depth first; as deep as the layout. */
static void add_rows(struct build *build, size_t box, size_t parent)
{
	struct path_outline *outline = build->outline;
	size_t row = outline->count, last = add_row(build, box, parent);
	const struct family *family = &build->families[last];

	for (size_t i = 0; i < family->count; i++) {
		size_t child = outline->count;

		add_rows(build, family->first + i, row);
		outline->rows[child].is_last = i + 1 == family->count;
		outline->rows[child].is_only =
			family->count == 1 && !path_outline_tells_folded(outline, row);
	}
	outline->is_bounded |= build->layout->boxes[last].depth + 1 == PATH_LAYOUT_DEPTH &&
			       outline->rows[row].folded_ns;
}

struct path_outline path_outline_of(const struct path_tree *tree, const struct names *names,
				    enum path_measure measure, size_t ends)
{
	struct path_outline outline = {0};
	struct path_figures *totals = path_tree_totals(tree);
	struct path_layout layout = choose(tree, totals, names, measure, ends);

	if (layout.count) {
		struct build build = {.tree = tree,
				      .layout = &layout,
				      .families = families_of(&layout),
				      .callees = callees_of(tree, totals, measure),
				      .outline = &outline};

		outline.rows = memory_allocate(layout.count, sizeof *outline.rows);
		outline.least = layout.least;
		outline.folded = layout.hidden;
		add_rows(&build, 0, 0);
		free(build.families);
		free(build.callees);
	}
	path_layout_clear(&layout);
	free(totals);
	return outline;
}

void path_outline_clear(struct path_outline *outline)
{
	free(outline->rows);
	*outline = (struct path_outline){0};
}
