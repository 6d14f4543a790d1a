/* SPDX-License-Identifier: MIT */
/* Message sizes of MPI calls: a row for each call and power of two. */
#include "analyze/base/memory.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_table.h"

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
