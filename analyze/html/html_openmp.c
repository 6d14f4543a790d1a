/* SPDX-License-Identifier: MIT */
/* OpenMP: its regions, how evenly their members worked, constructs and tasks. */
#include "analyze/base/memory.h"
#include "analyze/html/html_bars.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_table.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"

#include <math.h>
#include <stdlib.h>

#define BARS_MAX 20

static void add_advice(struct html_table *table, struct json_object *row)
{
	const char *advice = json_object_get_string(html_json_at(row, "advice"));

	if (advice)
		html_table_add_detail(table, memory_print("change: %s", advice));
}

/* ---- how evenly members worked */

static char *work_title(const struct omp_region *region, const char *name)
{
	char *least = text_seconds(region->spread.min_ns),
	     *most = text_seconds(region->spread.max_ns);
	char *mean = text_seconds(omp_region_mean_work(region));
	char *title =
		memory_print("%s\nwork of a member: %s to %s, mean %s", name, least, most, mean);

	free(least);
	free(most);
	free(mean);
	return title;
}

/* The part that all members did, then up to the mean, then up to the member that did most. */
static void print_work(struct html_bars *bars, const struct report *report,
		       const struct omp_region *region)
{
	double least = region->spread.min_ns, mean = omp_region_mean_work(region),
	       most = region->spread.max_ns;
	char *name = report_place(report, region->place.routine, region->place.line);

	html_bars_row(bars, name);
	html_bars_part(bars, "user", 0, least, work_title(region, name));
	html_bars_part(bars, "system", least, mean - least, work_title(region, name));
	html_bars_part(bars, "ready", mean, most - mean, work_title(region, name));
	free(name);
}

static void print_bars(const struct report *report)
{
	static const struct html_key keys[] = {{"user", "least work of a member"},
					       {"system", "to the mean"},
					       {"ready", "to the most"}};
	const struct omp_regions *regions = &report->run->omp.regions;
	struct html_bars bars;
	size_t count = 0;
	double most = 0;

	for (size_t i = 0; i < regions->count; i++) {
		count += regions->rows[i].spread.members > 0 && count < BARS_MAX;
		if (regions->rows[i].spread.members && count <= BARS_MAX)
			most = fmax(most, regions->rows[i].spread.max_ns);
	}
	if (!count)
		return;
	html_bars_begin(&bars, report->out,
			"Work of a region's members over all executions: even where the "
			"bar has one colour",
			"Least, mean and most work of a member, by region", count, most);
	for (size_t i = 0; i < regions->count && bars.row < count; i++)
		if (regions->rows[i].spread.members)
			print_work(&bars, report, &regions->rows[i]);
	html_bars_end(&bars, HTML_ALL(keys));
}

/* ---- what stands in several regions, together */

/* Adds to each row the region that it belongs to; NULL: none. */
static void gather(struct json_object *into, struct json_object *list, struct json_object *region)
{
	char *place = region ? html_json_place(region) : memory_copy_text("none");

	for (size_t i = 0; i < html_json_count(list); i++) {
		struct json_object *row = html_json_element(list, i);

		json_object_array_add(into, json_object_get(row));
		json_add(row, "region", json_text(place));
	}
	free(place);
}

/* The lists with that key, sorted by time, which also has a key. */
static void print_inner(const struct report *report, struct json_object *json, const char *key,
			const char *time, const char *caption, const struct row_fields *fields)
{
	struct json_object *all = json_object_new_array();
	struct json_object *regions = html_json_at(json, "regions");

	for (size_t i = 0; i < html_json_count(regions); i++)
		gather(all, html_json_at(html_json_element(regions, i), key),
		       html_json_element(regions, i));
	gather(all, html_json_at(html_json_at(json, "outside"), key), NULL);
	struct json_object *sorted = html_json_sorted(all, time);

	if (html_json_count(sorted))
		row_fields_html(report, caption, fields, sorted, NULL);
	json_object_put(sorted);
	json_object_put(all);
}

void html_openmp(const struct report *report, struct json_object *json)
{
	if (!html_facts(report->out, report_openmp_facts(report), REPORT_NO_OPENMP))
		return;
	print_bars(report);
	row_fields_html(report, "Regions, the most to gain first", &omp_regions_fields,
			html_json_at(json, "regions"), add_advice);
	print_inner(report, json, "constructs", "seconds", "Constructs, of all regions",
		    &omp_constructs_fields);
	print_inner(report, json, "tasks", "work_seconds", "Tasks, of all regions",
		    &omp_tasks_fields);
}
