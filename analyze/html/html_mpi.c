/* SPDX-License-Identifier: MIT */
/* A job as a whole, the sizes of its messages, and who came late. */
#include "analyze/base/memory.h"
#include "analyze/html/html_bars.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_table.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"

#include <stdlib.h>

static const struct {
	const char *key, *title;
} efficiencies[] = {
	{"parallel", "parallel efficiency"},
	{"load_balance", "load balance"},
	{"communication", "communication"},
};

#define EFFICIENCIES (sizeof efficiencies / sizeof *efficiencies)

static void print_efficiencies(const struct report *report, struct json_object *efficiency)
{
	struct html_bars bars;

	html_bars_begin(&bars, report->out, NULL, "Efficiencies of the job", EFFICIENCIES, 1);
	for (size_t i = 0; i < EFFICIENCIES; i++) {
		const char *key = efficiencies[i].key;
		char *percent =
			text_graded(html_json_text(html_json_at(efficiency, key), HTML_FRACTION),
				    html_json_grade(efficiency, "grade"), true);
		char *name = memory_print("%s %s", efficiencies[i].title, percent);

		html_bars_row(&bars, name);
		html_bars_part(&bars, "user", 0, html_json_figure(efficiency, key, 0), percent);
		free(name);
	}
	html_bars_end(&bars, NULL, 0);
}

/* The facts say whether there is a job, as they do in the text. */
void html_mpi(const struct report *report, struct json_object *json)
{
	struct report_facts facts = html_facts_without(report_mpi_facts(report), "parallel");

	/* the bars are the three efficiencies */
	if (html_facts(report->out, facts, REPORT_NO_RANKS))
		print_efficiencies(report, html_json_at(json, "efficiency"));
}

/* ---- sizes of messages: a row for each call and power of two */

static void add_bin(struct html_table *table, struct json_object *call, struct json_object *bin,
		    double whole)
{
	struct json_object *most = html_json_at(bin, "at_most_bytes");
	double count = html_json_figure(bin, "count", 0);

	html_table_add(table, html_json_text(html_json_at(call, "call"), HTML_TEXT));
	html_table_add(table, most ? html_json_text(most, HTML_SIZE) : memory_copy_text("more"));
	html_table_add(table, html_json_text(html_json_at(bin, "count"), HTML_COUNT));
	html_table_set_share(table, whole > 0 ? count / whole : 0);
}

void html_mpi_sizes(const struct report *report, struct json_object *json)
{
	static const struct html_column columns[] = {
		{"call", HTML_LEFT}, {"up to", HTML_RIGHT}, {"messages", HTML_RIGHT}};
	struct json_object *calls = html_json_at(json, "sizes");
	struct html_table *table =
		html_table_create("Messages by size; bars: of the call's messages", columns, 3);

	for (size_t i = 0; i < html_json_count(calls); i++) {
		struct json_object *call = html_json_element(calls, i);
		struct json_object *bins = html_json_at(call, "sizes");

		for (size_t b = 0; b < html_json_count(bins); b++)
			add_bin(table, call, html_json_element(bins, b),
				html_json_figure(call, "messages", 0));
	}
	html_table_print(table, report->out);
}

/* "most for rank 3 at f (x.c:1): 1.2 s": the first of those that came late. */
static void add_late(struct html_table *table, struct json_object *row)
{
	struct json_object *late = html_json_at(row, "late");

	if (!html_json_count(late))
		return;
	struct json_object *first = html_json_element(late, 0);
	char *place = html_json_place(first);
	char *seconds = html_json_text(html_json_at(first, "seconds"), HTML_SECONDS);
	char *rank = html_json_text(html_json_at(first, "rank"), HTML_COUNT);

	html_table_add_detail(table,
			      memory_print("most for rank %s%s", rank, *place ? " at " : ""));
	html_json_continue_place(table, first);
	html_table_continue_detail(table, memory_print(": %s", seconds), NULL);
	free(place);
	free(seconds);
	free(rank);
}

void html_collectives(const struct report *report, struct json_object *json)
{
	row_fields_html(report, "Collective calls, the most waiting first", &collectives_fields,
			html_json_at(json, "collectives"), add_late);
}
