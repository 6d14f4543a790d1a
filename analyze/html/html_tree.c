/* SPDX-License-Identifier: MIT */
#include "analyze/html/html_tree.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/paths/path_outline.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_svg.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"

#include <stdlib.h>

#define OPEN_PERCENT 5  /* of the whole, from which on a row shows at first what it calls */
#define ENDS_MAX     20 /* of call paths: each has a row for every routine on it */

struct html_tree {
	const struct report *report;
	const struct path_outline *outline;
	unsigned *levels; /* of the rows: how far they are indented */
	enum grade whole, parts;
};

/* ---- a line: total, share, self, and the name, indented */

struct figures {
	uint64_t total_ns, self_ns;
	bool is_like_above; /* the total and the share are those of the line above */
	enum grade grade;
};

static void print_time(FILE *out, uint64_t ns, enum grade grade)
{
	struct json_object *value = json_seconds(ns);
	char *text = text_graded(text_seconds((double)ns), grade, true);

	fputs("<span class=\"n\"", out);
	html_attribute(out, "data-v", json_object_get_string(value));
	fputc('>', out);
	html_text(out, text);
	fputs("</span>", out);
	json_object_put(value);
	free(text);
}

static void print_share(FILE *out, double percent)
{
	char *share = text_percent(percent);

	html_element(out, "span", "n share", share);
	free(share);
}

/* A long chain of calls has thousands of empty cells: they are short. */
static void print_figures(const struct html_tree *tree, const struct figures *figures)
{
	FILE *out = tree->report->out;
	double whole = (double)tree->outline->rows[0].total_ns;

	if (figures->is_like_above) {
		fputs("<i></i><i class=\"share\"></i>", out);
	} else {
		print_time(out, figures->total_ns, figures->grade);
		print_share(out, 100 * (double)figures->total_ns / whole);
	}
	if (figures->self_ns)
		print_time(out, figures->self_ns, figures->grade);
	else
		fputs("<i></i>", out);
}

static void print_name(FILE *out, unsigned level, const char *name)
{
	fprintf(out, "<span class=\"name\" style=\"--d:%u\">", level);
	html_text(out, name);
	fputs("</span>", out);
}

/* "f", "f (3 levels)", "f (again)" */
static char *name_of(const struct html_tree *tree, size_t index)
{
	const struct path_row *row = &tree->outline->rows[index];

	if (!index)
		return memory_copy_text("all threads");
	char *name =
		text_without_templates(names_routine(tree->report->run->names, row->routine)->name);
	char *text = row->levels > 1 ? memory_print("%s (%u levels)", name, row->levels)
				     : memory_print("%s%s", name, row->is_again ? " (again)" : "");

	free(name);
	return text;
}

static void print_line(const struct html_tree *tree, size_t index)
{
	const struct path_row *row = &tree->outline->rows[index];
	const struct figures figures = {
		.total_ns = row->total_ns,
		.self_ns = row->self_ns,
		.is_like_above = index && row->is_only &&
				 row->total_ns == tree->outline->rows[row->parent].total_ns,
		.grade = index ? tree->parts : tree->whole,
	};
	char *name = name_of(tree, index);

	print_figures(tree, &figures);
	print_name(tree->report->out, tree->levels[index], name);
	free(name);
}

/* ---- rows */

static bool has_rows_below(const struct path_outline *outline, size_t row)
{
	return row + 1 < outline->count && outline->rows[row + 1].parent == row;
}

static void open_row(const struct html_tree *tree, size_t index)
{
	const struct path_row *row = &tree->outline->rows[index];
	double percent = 100 * (double)row->total_ns / (double)tree->outline->rows[0].total_ns;
	bool is_caller = has_rows_below(tree->outline, index);

	fputs(is_caller && percent >= OPEN_PERCENT ? "<details open><summary>"
	      : is_caller                          ? "<details><summary>"
						   : "<div class=\"leaf\">",
	      tree->report->out);
	print_line(tree, index);
	fputs(is_caller ? "</summary>\n" : "</div>\n", tree->report->out);
}

/* "... 5 more", the last line below its row. */
static void print_folded(const struct html_tree *tree, size_t index)
{
	const struct path_row *row = &tree->outline->rows[index];
	const struct figures figures = {.total_ns = row->folded_ns, .grade = tree->parts};
	char *name = memory_print("... %zu more", row->folded_count);

	fputs("<div class=\"leaf more\">", tree->report->out);
	print_figures(tree, &figures);
	print_name(tree->report->out, tree->levels[index] + 1, name);
	fputs("</div>\n", tree->report->out);
	free(name);
}

/* Closes the callers that have no row after this one. */
static void close_rows(const struct html_tree *tree, size_t row)
{
	const struct path_outline *outline = tree->outline;
	unsigned depth = row + 1 < outline->count ? outline->rows[row + 1].depth : 0;

	for (size_t at = row; outline->rows[at].depth >= depth; at = outline->rows[at].parent) {
		if (at != row && path_outline_tells_folded(outline, at))
			print_folded(tree, at);
		if (has_rows_below(outline, at))
			fputs("</details>\n", tree->report->out);
		if (!at)
			break;
	}
}

/* A routine that its caller alone calls, and nothing else, is not indented: paths are long. */
static unsigned *levels_of(const struct path_outline *outline)
{
	unsigned *levels = memory_allocate(outline->count, sizeof *levels);

	for (size_t i = 1; i < outline->count; i++)
		levels[i] = levels[outline->rows[i].parent] + !outline->rows[i].is_only;
	return levels;
}

/* ---- the whole */

static void print_missing(FILE *out, const struct path_outline *outline)
{
	if (!outline->folded)
		return;
	char *least = text_percent(100 * outline->least);
	char *text = memory_print("and %s below %s%s",
				  quantity_things((double)outline->folded, "call path").text, least,
				  outline->is_bounded ? " or too deep" : " (--top 0 shows all)");

	html_element(out, "p", "more", text);
	fputc('\n', out);
	free(least);
	free(text);
}

static void print_head(FILE *out)
{
	static const char *const titles[] = {"total", "share", "self"};

	fputs("<div class=\"leaf head\">", out);
	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
		html_element(out, "span", i == 1 ? "n share" : "n", titles[i]);
	html_element(out, "span", "name", "routine, and below it those that it called");
	fputs("</div>\n", out);
}

void html_tree_print(const struct report *report, const struct path_tree *paths,
		     enum path_measure measure)
{
	size_t ends = report->top < ENDS_MAX ? report->top : ENDS_MAX;
	struct path_outline outline = path_outline_of(paths, report->run->names, measure, ends);
	struct html_tree tree = {
		.report = report,
		.outline = &outline,
		.levels = levels_of(&outline),
		.whole = measure == PATH_ALONE ? GRADE_SAMPLED : GRADE_EXACT,
		.parts = measure == PATH_WAITING ? GRADE_EXACT : GRADE_SAMPLED,
	};

	fputs("<details class=\"tree\"><summary>As a call tree</summary>\n<div>\n", report->out);
	print_head(report->out);
	for (size_t i = 0; i < outline.count; i++) {
		open_row(&tree, i);
		close_rows(&tree, i);
	}
	print_missing(report->out, &outline);
	fputs("</div>\n</details>\n", report->out);
	free(tree.levels);
	path_outline_clear(&outline);
}
