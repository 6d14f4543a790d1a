/* SPDX-License-Identifier: MIT */
/* Events and metrics: totals, and each of them by routine, by thread and in waits. */
#include "analyze/base/memory.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_table.h"
#include "analyze/report/counter_figures.h"
#include "analyze/report/row_fields.h"

#include <stdlib.h>

static const struct {
	const char *key, *by;
	const struct row_fields *fields;
} breakdowns[] = {
	{"by_routine", "by routine", &counter_routines_fields},
	{"by_thread", "by thread", &counter_threads_fields},
	{"by_wait", "in waits", &counter_causes_fields},
};

static void print_figure(const struct report *report, struct json_object *figure)
{
	const char *name = json_object_get_string(html_json_at(figure, "name"));

	for (size_t i = 0; i < sizeof breakdowns / sizeof *breakdowns; i++) {
		struct json_object *list = html_json_at(figure, breakdowns[i].key);
		char *caption;

		if (html_json_count(list) < 2)
			continue;
		caption = memory_print("%s %s", name ? name : "", breakdowns[i].by);
		row_fields_html(report, caption, breakdowns[i].fields, list, NULL);
		free(caption);
	}
}

void html_counters(const struct report *report, struct json_object *json)
{
	if (!html_json_count(json)) {
		html_element(report->out, "p", NULL, REPORT_NO_COUNTERS);
		return;
	}
	size_t count;
	struct html_field *fields = row_fields_page(report, &counter_events_fields, &count);

	html_json_table(report->out, "Events, and metrics formed of them", fields, count, json, 0,
			NULL);
	free(fields);
	for (size_t i = 0; i < html_json_count(json); i++)
		print_figure(report, html_json_element(json, i));
}
