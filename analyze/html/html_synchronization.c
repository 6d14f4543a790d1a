/* SPDX-License-Identifier: MIT */
/* What threads waited for, and who kept whom waiting. */
#include "analyze/base/memory.h"
#include "analyze/html/html_parts.h"
#include "analyze/html/html_sections.h"
#include "analyze/html/html_waits.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/sync/sync_matrix.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_table.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

#define LENGTHS_MAX  5
#define MATRICES_MAX 5

/* ---- the tables */

/* "waits: 90 % f (x.c:1)". False: no place is known. */
static bool add_site(struct html_table *table, struct json_object *row, const char *key,
		     const char *verb, bool is_further)
{
	struct json_object *sites = html_json_at(row, key);
	double whole = html_json_figure(row, "wait_seconds", 0);

	if (!html_json_count(sites) || !(whole > 0))
		return false;
	struct json_object *site = html_json_element(sites, 0);
	double share = html_json_figure(site, "seconds", 0) / whole;
	char *percent = text_percent(100 * share);
	char *text = memory_print("%s%s %s ", is_further ? "; " : "", verb, percent);

	if (is_further)
		html_table_continue_detail(table, text, NULL);
	else
		html_table_add_detail(table, text);
	html_json_continue_place(table, site);
	free(percent);
	return true;
}

static void add_sites(struct html_table *table, struct json_object *row)
{
	bool has_waits = add_site(table, row, "waiters", "waits:", false);

	add_site(table, row, "blame", "by:", has_waits);
}

static bool has_waits(struct json_object *list)
{
	for (size_t i = 0; i < html_json_count(list); i++)
		if (html_json_figure(html_json_element(list, i), "wait_seconds", 0) > 0)
			return true;
	return false;
}

static void print_calls(const struct report *report)
{
	struct json_object *calls = report_calls_json(report);

	if (has_waits(calls))
		row_fields_html(report, "Other calls", &plain_calls_fields, calls, add_sites);
	json_object_put(calls);
}

/* ---- matrices */

static char *place_text(const struct report *report, const struct sync_matrix_place *place,
			bool is_rest, size_t rest)
{
	return is_rest ? memory_print("%zu others", rest)
		       : report_place(report, place->routine, place->line);
}

static void add_cell(struct html_table *table, const struct sync_matrix *matrix, uint64_t ns)
{
	if (html_add_seconds_if_any(table, ns, matrix->grade))
		html_table_set_heat(table, (double)ns / (double)matrix->most_ns);
}

static void print_matrix_rows(const struct report *report, const struct sync_matrix *matrix,
			      const char *caption, struct html_column *columns, size_t victims,
			      size_t holders)
{
	struct html_table *table = html_table_create(caption, columns, victims + 2);

	for (size_t h = 0; h < holders; h++) {
		html_table_add(table,
			       place_text(report, &matrix->holders[h], h == matrix->holder_count,
					  matrix->other_holder_count));
		for (size_t v = 0; v < victims; v++)
			add_cell(table, matrix, matrix->cells[h][v]);
		html_add_seconds(table, (double)matrix->holders[h].time_ns, GRADE_EXACT);
	}
	html_table_print(table, report->out);
}

static void print_matrix(const struct report *report, const struct sync_row *row)
{
	struct sync_matrix matrix = sync_matrix_of(&row->pairs);
	size_t victims = matrix.victim_count + (matrix.other_victim_count > 0);
	size_t holders = matrix.holder_count + (matrix.other_holder_count > 0);
	struct html_column columns[SYNC_MATRIX_SIDE + 3] = {{"by", HTML_LEFT}};
	char *caption = memory_print("%s: who was kept waiting (columns), and by whom",
				     report->run->synchronization.names[row->object]);

	for (size_t v = 0; v < victims; v++)
		columns[v + 1] = (struct html_column){place_text(report, &matrix.victims[v],
								 v == matrix.victim_count,
								 matrix.other_victim_count),
						      HTML_RIGHT};
	columns[victims + 1] = (struct html_column){"all", HTML_RIGHT};
	print_matrix_rows(report, &matrix, caption, columns, victims, holders);
	for (size_t v = 0; v < victims; v++)
		free((char *)columns[v + 1].title);
	free(caption);
}

static void print_matrices(const struct report *report)
{
	const struct synchronization *all = &report->run->synchronization;
	size_t shown = 0;

	for (size_t i = 0; i < all->count && shown < MATRICES_MAX; i++) {
		if (!all->rows[i].pairs.count)
			continue;
		if (!shown++)
			html_element(report->out, "h3", NULL, "Who kept whom waiting");
		print_matrix(report, &all->rows[i]);
	}
}

/* Of what the section has; input and output and MPI are in the section waits. */
static void print_lengths(const struct report *report, struct json_object *objects)
{
	struct report all = *report;

	all.top = 0;
	struct json_object *waits = report_waits_json(&all);

	html_waits_plot(report, waits, objects, LENGTHS_MAX);
	json_object_put(waits);
}

void html_synchronization(const struct report *report, struct json_object *json)
{
	row_fields_html(report, "Objects, the most waiting first", &synchronization_fields, json,
			add_sites);
	print_lengths(report, json);
	print_matrices(report);
	print_calls(report);
}
