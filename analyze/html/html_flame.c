/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1 /* qsort_r */
#include "analyze/html/html_flame.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/html/html_parts.h"
#include "analyze/html/html_tree.h"
#include "analyze/model/paths/path_layout.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_svg.h"
#include "analyze/page/html_table.h"
#include "analyze/print/text_format.h"

#include <stdlib.h>
#include <string.h>

#define ROW_HEIGHT  18
#define NAMED_SHARE 0.015 /* narrower boxes have no room for a name */
#define TABLE_ROWS  15
#define PATH_FRAMES 6 /* of a path in the table */
#define SHADES      4

static const struct {
	const char *id, *title, *caption, *none;
} measures[PATH_MEASURES] = {
	[PATH_CPU] = {"cpu", "CPU time", "CPU time by call path, of all threads; sampled",
		      "CPU time by call path: no samples"},
	[PATH_ALONE] = {"alone", "Alone",
			"CPU time while no other thread of the process was on a processor; sampled",
			"CPU time alone: none, or not known"},
	[PATH_WAITING] = {"waits", "Waits",
			  "Waiting of all threads by call path, for locks, messages, other threads",
			  "Waiting by call path: none"},
};

struct flame {
	const struct report *report;
	const struct path_tree *tree;
	const struct path_layout *layout;
	enum path_measure measure;
};

static const struct routine *routine_of(const struct flame *flame, const struct path_box *box)
{
	return names_routine(flame->report->run->names, flame->tree->nodes[box->node].routine);
}

static const char *name_of(const struct flame *flame, const struct path_box *box)
{
	return box->depth ? routine_of(flame, box)->name : "all";
}

/* ---- boxes */

static const char *class_of(const struct flame *flame, const struct path_box *box)
{
	static const char *const shades[SHADES] = {"f0", "f1", "f2", "f3"};
	const char *name = name_of(flame, box);
	unsigned hash = 5381;

	if (flame->tree->nodes[box->node].kind == PATH_WAIT)
		return "w";
	if (!box->depth || *name == '[')
		return "o";
	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return shades[hash % SHADES];
}

static char *box_title(const struct flame *flame, const struct path_box *box)
{
	const struct path_node *node = &flame->tree->nodes[box->node];
	char *place = box->depth ? report_place(flame->report, node->routine, node->line)
				 : memory_copy_text("all");
	char *total = text_seconds((double)box->total_ns),
	     *own = text_seconds((double)box->self_ns);
	char *share = text_percent(100 * box->width);
	char *title = memory_print(
		"%s\n%s, %s; itself %s%s", place, total, share, own,
		node->is_inferred ? "\nended in a jump and left no frame: inferred" : "");

	free(place);
	free(total);
	free(own);
	free(share);
	return title;
}

static void print_number(FILE *out, const char *name, double number, const char *unit)
{
	fprintf(out, " %s=\"", name);
	html_svg_number(out, number);
	fprintf(out, "%s\"", unit);
}

/* An svg for each box: it moves and is stretched with its text, which is clipped at its edge. */
static void print_box(FILE *out, const struct flame *flame, const struct path_box *box)
{
	char *title = box_title(flame, box);

	fprintf(out, "<svg class=\"%s\"", class_of(flame, box));
	print_number(out, "x", 100 * box->start, "%");
	print_number(out, "y", (double)(box->depth * ROW_HEIGHT), "");
	print_number(out, "width", 100 * box->width, "%");
	fprintf(out, " height=\"%d\" data-v=\"%llu\">", ROW_HEIGHT,
		(unsigned long long)box->total_ns);
	html_element(out, "title", NULL, title);
	fputs("<rect width=\"100%\" height=\"100%\"/>", out);
	if (box->width >= NAMED_SHARE) {
		char *name = text_without_templates(name_of(flame, box));

		fputs("<text x=\"4\" y=\"13\">", out);
		html_text(out, name);
		fputs("</text>", out);
		free(name);
	}
	fputs("</svg>\n", out);
	free(title);
}

/* ---- the table behind */

static int compare_self(const void *left, const void *right, void *data)
{
	const struct path_box *boxes = data;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	if (boxes[a].self_ns != boxes[b].self_ns)
		return boxes[a].self_ns > boxes[b].self_ns ? -1 : 1;
	return (a > b) - (a < b);
}

/* "main > run > f": the innermost few frames. */
static char *path_text(const struct flame *flame, const struct path_box *box)
{
	const struct path_box *boxes = flame->layout->boxes;
	char *text = memory_copy_text(name_of(flame, box));

	for (int frames = 1; box->parent && frames <= PATH_FRAMES; frames++) {
		box = &boxes[box->parent];
		char *longer =
			memory_print("%s \xe2\x80\xba %s",
				     frames < PATH_FRAMES ? name_of(flame, box) : "...", text);

		free(text);
		text = longer;
	}
	return text;
}

static void print_table(FILE *out, const struct flame *flame)
{
	static const struct html_column columns[] = {
		{"call path", HTML_LEFT}, {"itself", HTML_RIGHT}, {"with all below", HTML_RIGHT}};
	const struct path_layout *layout = flame->layout;
	struct html_table *table = html_table_create(measures[flame->measure].caption, columns, 3);
	size_t *order = memory_allocate(layout->count, sizeof *order);
	size_t rows = 0;

	for (size_t i = 0; i < layout->count; i++)
		order[i] = i;
	qsort_r(order, layout->count, sizeof *order, compare_self, layout->boxes);
	for (; rows < layout->count && rows < TABLE_ROWS && layout->boxes[order[rows]].self_ns;
	     rows++) {
		const struct path_box *box = &layout->boxes[order[rows]];

		html_table_add(table, path_text(flame, box));
		html_add_seconds(table, (double)box->self_ns, GRADE_EXACT);
		html_add_seconds(table, (double)box->total_ns, GRADE_EXACT);
	}
	html_behind(table, out);
	free(order);
}

/* ---- a measure */

static void print_hidden(FILE *out, const struct path_layout *layout)
{
	if (!layout->hidden)
		return;
	char *least = text_percent(100 * layout->least);
	char *text = memory_print("without a box of their own: %s, below %s of the whole or more "
				  "than %d calls deep; their time is in their callers'",
				  quantity_things((double)layout->hidden, "further place").text,
				  least, PATH_LAYOUT_DEPTH);

	html_element(out, "p", "more", text);
	fputc('\n', out);
	free(least);
	free(text);
}

static void print_measure(const struct report *report, const struct path_tree *tree,
			  const struct path_figures *totals, enum path_measure measure)
{
	FILE *out = report->out;
	struct path_layout layout =
		path_layout_of(tree, totals, report->run->names, measure, HTML_FLAME_BOXES);
	struct flame flame = {report, tree, &layout, measure};

	fprintf(out, "<figure id=\"flame-%s\" data-title=\"%s\">\n", measures[measure].id,
		measures[measure].title);
	html_element(out, "figcaption", NULL,
		     layout.count ? measures[measure].caption : measures[measure].none);
	if (layout.count) {
		fputs("<div class=\"scrolled\">", out);
		html_svg_begin(out, "flame-graph", measures[measure].caption,
			       (double)(layout.depth * ROW_HEIGHT));
		for (size_t i = 0; i < layout.count; i++)
			print_box(out, &flame, &layout.boxes[i]);
		html_svg_end(out);
		fputs("</div>\n", out);
		print_hidden(out, &layout);
		html_tree_print(report, tree, measure);
		print_table(out, &flame);
	}
	fputs("</figure>\n", out);
	path_layout_clear(&layout);
}

void html_flame_print(const struct report *report)
{
	if (!report->run->paths.count)
		return;
	struct path_tree tree = path_tree_fold_lines(&report->run->paths);
	struct path_figures *totals = path_tree_totals(&tree);

	fputs("<div class=\"flame\" id=\"flame\">\n", report->out);
	for (enum path_measure measure = 0; measure < PATH_MEASURES; measure++)
		print_measure(report, &tree, totals, measure);
	fputs("</div>\n", report->out);
	free(totals);
	path_tree_clear(&tree);
}
