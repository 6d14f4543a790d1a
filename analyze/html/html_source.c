/* SPDX-License-Identifier: MIT */
/* Source beside its figures, where findings and tables lead. */
#include "analyze/html/html_source.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/html/html_line_events.h"
#include "analyze/html/html_sections.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/lines/source_choice.h"
#include "analyze/model/lines/source_listing.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_table.h"
#include "analyze/print/json.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

enum {
	ROUTINES_MOST = 100,     /* that a whole page looks at */
	LINES_MOST = 60,         /* with figures, of one routine */
	BYTES_MOST = 256 * 1024, /* of a whole page: the rest of it has less than 768 KiB */
};

static const struct html_field figures[] = {
	HTML_FIELD("line", "line", LINE),
	HTML_FIELD("self_seconds", "self", SECONDS, .has_bar = true, .is_quiet = true),
	HTML_FIELD("self_percent", "share", PERCENT, .is_quiet = true),
	HTML_FIELD("total_seconds", "total", SECONDS, .is_quiet = true),
	HTML_FIELD("alone_seconds", "alone", SECONDS, .is_quiet = true),
	HTML_FIELD("wait_seconds", "waits", SECONDS, .has_bar = true, .is_quiet = true),
	HTML_FIELD("openmp_wait_seconds", "OpenMP waits", SECONDS, .has_bar = true,
		   .is_quiet = true),
	HTML_FIELD("mpi_seconds", "MPI", SECONDS, .has_bar = true, .is_quiet = true),
	HTML_FIELD("blame_seconds", "blame", SECONDS, .has_bar = true, .is_quiet = true),
};
static const struct html_field last[] = {
	HTML_FIELD("whose", "routine", TEXT),
	HTML_FIELD("text", "source", CODE),
};

/* ---- printing */

static const char *text_at(struct json_object *object, const char *key)
{
	return json_object_get_string(html_json_at(object, key));
}

/* Where lines are left out between this row and the next. */
static void add_gap(struct html_table *table, struct json_object *row)
{
	if (json_object_get_boolean(html_json_at(row, "has_gap")))
		html_table_add_detail(table, memory_copy_text("..."));
}

/* Where several routines have figures at a line, each row says whose they are. */
static void mark_shared(struct json_object *rows)
{
	for (size_t i = 1; i < html_json_count(rows); i++) {
		struct json_object *pair[] = {html_json_element(rows, i - 1),
					      html_json_element(rows, i)};

		if (html_json_figure(pair[0], "line", -1) != html_json_figure(pair[1], "line", -2))
			continue;
		for (size_t k = 0; k < 2; k++)
			json_add(pair[k], "whose", json_text(text_at(pair[k], "routine")));
	}
}

static void mark_gaps(struct json_object *rows)
{
	for (size_t i = 1; i < html_json_count(rows); i++) {
		struct json_object *row = html_json_element(rows, i - 1);
		double line = html_json_figure(row, "line", 0);

		if (line && html_json_figure(html_json_element(rows, i), "line", 0) > line + 1)
			json_add(row, "has_gap", json_object_new_boolean(true));
	}
}

static void print_heading(FILE *out, const char *anchor, const char *text)
{
	fputs("<h3", out);
	if (anchor)
		html_attribute(out, "id", anchor);
	fputc('>', out);
	html_text(out, text);
	fputs("</h3>\n", out);
}

static void print_block(const struct report *report, FILE *out, struct json_object *block)
{
	const char *routine = text_at(block, "routine"), *path = text_at(block, "path");
	const char *problem = text_at(block, "problem");
	const char *file = path ? path : text_at(block, "file");
	struct json_object *rows = html_json_at(block, "lines");
	size_t left_out = (size_t)html_json_figure(block, "left_out", 0);
	struct html_fields fields = {0};
	char *caption = memory_print("%s%s%s", file ? file : "its source is not known",
				     problem ? ": " : "", problem ? problem : "");

	print_heading(out, text_at(block, "anchor"),
		      routine ? routine
		      : file  ? runtime_base_name(file)
			      : "code without a file");
	mark_gaps(rows);
	mark_shared(rows);
	html_fields_add(&fields, HTML_ALL(figures));
	html_fields_add_events(&fields, rows, &report->run, 1, NULL);
	html_fields_add(&fields, HTML_ALL(last));
	html_json_table(out, caption, fields.list, fields.count, rows, 0, add_gap);
	html_fields_clear(&fields);
	if (left_out)
		fprintf(out,
			"<p class=\"more\">and %s with less time (--routine NAME shows "
			"all)</p>\n",
			quantity_things((double)left_out, "more line").text);
	free(caption);
}

/* "and the source of 12 more routines (--routine NAME shows it)" */
static void print_rest(FILE *out, struct json_object *rest)
{
	size_t left_out = (size_t)html_json_figure(rest, "left_out", 0);
	size_t not_found = (size_t)html_json_figure(rest, "not_found", 0);

	if (left_out)
		fprintf(out,
			"<p class=\"more\">and the source of %s (--routine NAME shows "
			"it)</p>\n",
			quantity_things((double)left_out, "more routine").text);
	if (not_found)
		fprintf(out,
			"<p class=\"more\">the source of %s was not found (--source-path "
			"says where it is)</p>\n",
			quantity_things((double)not_found, "routine").text);
}

void html_source(const struct report *report, struct json_object *json)
{
	if (!html_json_count(json))
		html_element(report->out, "p", NULL, "no source lines are known");
	for (size_t i = 0; i < html_json_count(json); i++) {
		struct json_object *block = html_json_element(json, i);

		if (html_json_at(block, "lines"))
			print_block(report, report->out, block);
		else
			print_rest(report->out, block);
	}
}

/* ---- which */

static bool is_among(const size_t *routines, size_t count, size_t routine)
{
	for (size_t i = 0; i < count; i++)
		if (routines[i] == routine)
			return true;
	return false;
}

/* Those that findings name, then those with the most time; returns how many. `more` is how many
 * others have time. */
static size_t choose(const struct report *report, size_t routines[ROUTINES_MOST], size_t *more)
{
	struct source_lines lines = source_lines_of(report->run);
	size_t count = 0, all, *hottest = source_choice_of(report->run, &lines, &all);

	for (size_t i = 0; i < report->findings.count; i++) {
		const struct finding *finding = &report->findings.rows[i];

		for (size_t s = 0; s < finding->step_count && count < ROUTINES_MOST; s++)
			if (finding->steps[s].has_place &&
			    is_among(hottest, all, finding->steps[s].routine) &&
			    !is_among(routines, count, finding->steps[s].routine))
				routines[count++] = finding->steps[s].routine;
	}
	for (size_t i = 0; i < all && count < ROUTINES_MOST; i++)
		if (!is_among(routines, count, hottest[i]))
			routines[count++] = hottest[i];
	*more = all - count;
	free(hottest);
	source_lines_clear(&lines);
	return count;
}

static size_t bytes_of(const struct report *report, struct json_object *block)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		die("out of memory");
	print_block(report, out, block);
	fclose(out);
	free(text);
	return bytes;
}

/* The blocks that have a text and for which there is room. A smaller one may follow one that is
 * left out. */
static struct json_object *fit(const struct report *report, struct json_object *all, size_t more)
{
	struct json_object *shown = json_object_new_array(), *rest = json_object_new_object();
	size_t bytes = 0, not_found = 0;

	for (size_t i = 0; i < html_json_count(all); i++) {
		struct json_object *block = html_json_element(all, i);
		bool is_found = html_json_at(block, "path") != NULL;
		size_t added = is_found ? bytes_of(report, block) : 0;

		not_found += !is_found;
		if (!is_found)
			continue;
		if (bytes + added > BYTES_MOST) {
			more++;
			continue;
		}
		bytes += added;
		json_object_array_add(shown, json_object_get(block));
	}
	json_add(rest, "left_out", json_count(more));
	json_add(rest, "not_found", json_count(not_found));
	if (html_json_count(shown))
		json_object_array_add(shown, rest);
	else
		json_object_put(rest);
	return shown;
}

struct json_object *html_source_json(const struct report *report, bool is_whole_page)
{
	size_t routines[ROUTINES_MOST], more;

	if (!is_whole_page)
		return report_source_json(report);
	const struct source_query query = {.routines = routines,
					   .routine_count = choose(report, routines, &more),
					   .rows_most = LINES_MOST};
	struct report whole = *report;

	whole.source = &query;
	struct json_object *all = report_source_json(&whole), *shown = fit(report, all, more);

	json_object_put(all);
	return shown;
}
