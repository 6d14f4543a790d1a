/* SPDX-License-Identifier: MIT */
/* The call trees of a run (path_outline.h), each row below its caller: CPU time, and waits. */
#include "analyze/base/memory.h"
#include "analyze/model/paths/path_outline.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <stdlib.h>
#include <string.h>

/* Columns of the lines in front of a name at most, as a part of the width: further ones are left
 * out at the left. */
#define LINES_PART 4

static const struct text_column columns[] = {
	{"total", TEXT_RIGHT},
	{"share", TEXT_RIGHT},
	{"self", TEXT_RIGHT},
	{"routine", TEXT_FLEXIBLE},
};

struct listing {
	const struct report *report;
	enum grade grade; /* of all rows but the first */
	const struct path_outline *outline;
	struct text_table *table;
	char **stems; /* of each row: the lines that go on below it, a letter for each: "| |" */
};

struct line {
	char letter;
	const char *utf8, *ascii;
};

static const struct line lines[] = {
	{'|', "\xe2\x94\x82 ", "| "},
	{'+', "\xe2\x94\x9c ", "+ "},
	{'`', "\xe2\x94\x94 ", "` "},
	{' ', "  ", "  "},
};

static const char *line_of(char letter, bool is_utf8)
{
	const struct line *line = lines;

	while (line->letter != letter)
		line++;
	return is_utf8 ? line->utf8 : line->ascii;
}

/* The lines as they are printed, in front of a name. */
static char *label_of(const struct report *report, const char *stem, const char *name)
{
	size_t most = report->width / LINES_PART, length = strlen(stem);
	size_t skipped = length > most ? length - most : 0;
	char *label = memory_copy_text(skipped ? (report->is_utf8 ? "\xe2\x80\xa6" : "~") : "");

	for (const char *at = stem + skipped; *at; at++) {
		char *longer = memory_print("%s%s", label, line_of(*at, report->is_utf8));

		free(label);
		label = longer;
	}
	char *whole = memory_print("%s%s", label, name);

	free(label);
	return whole;
}

static char *name_of(const struct listing *listing, size_t index)
{
	const struct path_row *row = &listing->outline->rows[index];
	const struct names *names = listing->report->run->names;

	if (!index)
		return memory_copy_text("all threads");
	char *name = text_without_templates(names_routine(names, row->routine)->name);
	char *text = row->levels > 1 ? memory_print("%s (%u levels)", name, row->levels)
				     : memory_print("%s%s", name, row->is_again ? " (again)" : "");

	free(name);
	return text;
}

static char *share_of(const struct listing *listing, uint64_t ns)
{
	return text_percent(100 * (double)ns / (double)listing->outline->rows[0].total_ns);
}

/* The whole is what the clocks say; its parts are sampled. */
static char *time_of(const struct listing *listing, size_t row, uint64_t ns)
{
	return report_graded_seconds(listing->report, (double)ns,
				     row ? listing->grade : GRADE_EXACT);
}

/* A line that has its caller's figures has none of its own to be read. */
static bool is_like_above(const struct listing *listing, size_t index)
{
	const struct path_row *row = &listing->outline->rows[index];

	return index && row->is_only &&
	       row->total_ns == listing->outline->rows[row->parent].total_ns;
}

static void add_figures(struct listing *listing, size_t index)
{
	const struct path_row *row = &listing->outline->rows[index];
	bool is_like = is_like_above(listing, index);

	text_table_add(listing->table,
		       is_like ? memory_copy_text("") : time_of(listing, index, row->total_ns));
	text_table_add(listing->table,
		       is_like ? memory_copy_text("") : share_of(listing, row->total_ns));
	text_table_add(listing->table,
		       row->self_ns ? time_of(listing, index, row->self_ns) : memory_copy_text(""));
}

static void add_row(struct listing *listing, size_t index)
{
	const struct path_row *row = &listing->outline->rows[index];
	const char *above = index ? listing->stems[row->parent] : "";
	bool is_end = row->is_last && !path_outline_tells_folded(listing->outline, row->parent);
	bool is_straight = row->is_only || !index;
	char *stem = is_straight ? memory_copy_text(above)
				 : memory_print("%s%c", above, is_end ? '`' : '+');
	char *name = name_of(listing, index);

	add_figures(listing, index);
	text_table_add(listing->table, label_of(listing->report, stem, name));
	free(stem);
	free(name);
	listing->stems[index] = is_straight ? memory_copy_text(above)
					    : memory_print("%s%c", above, is_end ? ' ' : '|');
}

/* "... 5 more", the last line below its row. */
static void add_folded(struct listing *listing, size_t index)
{
	const struct path_row *row = &listing->outline->rows[index];
	char *name = memory_print("... %zu more", row->folded_count);
	char *stem = memory_print("%s`", listing->stems[index]);

	text_table_add(listing->table, time_of(listing, 1, row->folded_ns));
	text_table_add(listing->table, share_of(listing, row->folded_ns));
	text_table_add(listing->table, memory_copy_text(""));
	text_table_add(listing->table, label_of(listing->report, stem, name));
	free(name);
	free(stem);
}

/* What ends between a row and the next one: rows without any below them have no line of their own
 * for what they folded. */
static void close_rows(struct listing *listing, size_t row)
{
	const struct path_outline *outline = listing->outline;
	unsigned depth = row + 1 < outline->count ? outline->rows[row + 1].depth : 0;

	for (size_t at = row; outline->rows[at].depth >= depth; at = outline->rows[at].parent) {
		if (at != row && path_outline_tells_folded(outline, at))
			add_folded(listing, at);
		if (!at)
			break;
	}
}

static void print_folded(const struct report *report, const struct path_outline *outline)
{
	if (!outline->folded)
		return;
	char *least = text_percent(100 * outline->least);
	bool is_one = outline->folded == 1;

	if (outline->is_bounded)
		fprintf(report->out, "  ... and %zu call path%s that %s below %s or too deep\n",
			outline->folded, is_one ? "" : "s", is_one ? "is" : "are", least);
	else
		fprintf(report->out, "  ... and %zu call path%s below %s (--top 0 shows all)\n",
			outline->folded, is_one ? "" : "s", least);
	free(least);
}

/* Waits are measured, CPU time by call path is sampled. */
static enum grade grade_of(enum path_measure measure)
{
	return measure == PATH_WAITING ? GRADE_EXACT : GRADE_SAMPLED;
}

static void print_tree(const struct report *report, enum path_measure measure)
{
	struct path_tree tree = path_tree_fold_lines(&report->run->paths);
	struct path_outline outline =
		path_outline_of(&tree, report->run->names, measure, report->top);
	struct listing listing = {
		.report = report,
		.grade = grade_of(measure),
		.outline = &outline,
		.table = text_table_create(columns, sizeof columns / sizeof *columns),
		.stems = memory_allocate(outline.count, sizeof *listing.stems),
	};

	for (size_t i = 0; i < outline.count; i++) {
		add_row(&listing, i);
		close_rows(&listing, i);
	}
	text_table_print(listing.table, report->out, report->width, report->is_utf8);
	print_folded(report, &outline);
	for (size_t i = 0; i < outline.count; i++)
		free(listing.stems[i]);
	free(listing.stems);
	path_outline_clear(&outline);
	path_tree_clear(&tree);
}

/* ---- JSON */

struct tree_row {
	size_t index;
	const struct path_row *of;
	double whole_ns;
};

#define ROW      const struct tree_row
#define ROW_NAME tree
#include "analyze/report/define_fields.h"

static struct json_object *tree_json(const struct report *report, enum path_measure measure)
{
	struct path_tree tree = path_tree_fold_lines(&report->run->paths);
	struct path_outline outline =
		path_outline_of(&tree, report->run->names, measure, report->top);
	struct json_object *object = json_object_new_object(), *rows = json_object_new_array();

	for (size_t i = 0; i < outline.count; i++) {
		const struct tree_row row = {i, &outline.rows[i], (double)outline.rows[0].total_ns};

		json_object_array_add(rows, row_json(report, &tree_fields, &row));
	}
	json_add(object, "grade", json_text(report_grade_text(grade_of(measure))));
	json_add(object, "least_percent", json_number(100 * outline.least));
	json_add(object, "folded", json_count(outline.folded));
	json_add(object, "rows", rows);
	path_outline_clear(&outline);
	path_tree_clear(&tree);
	return object;
}

void report_tree_text(const struct report *report)
{
	print_tree(report, PATH_CPU);
}

struct json_object *report_tree_json(const struct report *report)
{
	return tree_json(report, PATH_CPU);
}

void report_wait_tree_text(const struct report *report)
{
	print_tree(report, PATH_WAITING);
}

struct json_object *report_wait_tree_json(const struct report *report)
{
	return tree_json(report, PATH_WAITING);
}
