/* SPDX-License-Identifier: MIT */
/* Events and metrics: totals, and each of them by routine, by thread and in waits. */
#include "analyze/base/memory.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_table.h"
#include "analyze/report/report_counter_places.h"

#include <stdlib.h>

static const struct html_field totals[] = {
	HTML_FIELD("name", "name", TEXT),
	HTML_FIELD("total", "total", AMOUNT, .grade = "grade"),
	HTML_FIELD("unit", "unit", TEXT),
	HTML_FIELD("coverage", "coverage", FRACTION, .is_quiet = true),
	HTML_FIELD("threads", "threads", COUNT, .is_quiet = true),
	HTML_FIELD("min", "min", AMOUNT, .is_quiet = true),
	HTML_FIELD("max", "max", AMOUNT, .is_quiet = true),
	HTML_FIELD("imbalance_percent", "imbalance", PERCENT, .is_quiet = true),
	HTML_FIELD("formula", "formula", TEXT),
	HTML_FIELD("reason", "not exact because", TEXT),
};

#define FIGURES                                                                                    \
	HTML_FIELD("value", "value", AMOUNT, .has_bar = true),                                     \
		HTML_FIELD("error_percent", "error", PERCENT, .is_quiet = true),                   \
		HTML_FIELD("alone", "alone", AMOUNT, .is_quiet = true),                            \
		HTML_FIELD("company", "in company", AMOUNT, .is_quiet = true),                     \
		HTML_FIELD("total", "with what it called", AMOUNT, .is_quiet = true)

static const struct html_field routines[] = {HTML_FIELD("routine", "routine", PLACE), FIGURES};
static const struct html_field threads[] = {HTML_FIELD("name", "thread", TEXT),
					    HTML_FIELD("pid", "pid", COUNT),
					    HTML_FIELD("tid", "tid", COUNT, .is_quiet = true),
					    HTML_FIELD("value", "value", AMOUNT, .has_bar = true)};
static const struct html_field waits[] = {HTML_FIELD("cause", "in waits for", TEXT), FIGURES};

static const struct {
	const char *key, *by;
	const struct html_field *fields;
	size_t count;
} breakdowns[] = {
	{"by_routine", "by routine", HTML_ALL(routines)},
	{"by_thread", "by thread", HTML_ALL(threads)},
	{"by_wait", "in waits", HTML_ALL(waits)},
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
		html_json_table(report->out, caption, breakdowns[i].fields, breakdowns[i].count,
				list, report->top, NULL);
		free(caption);
	}
}

void html_counters(const struct report *report, struct json_object *json)
{
	if (!html_json_count(json)) {
		html_element(report->out, "p", NULL, REPORT_NO_COUNTERS);
		return;
	}
	html_json_table(report->out, "Events, and metrics formed of them", HTML_ALL(totals), json,
			0, NULL);
	for (size_t i = 0; i < html_json_count(json); i++)
		print_figure(report, html_json_element(json, i));
}
