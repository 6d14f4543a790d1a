/* SPDX-License-Identifier: MIT */
/* Named parts of the run: how much of their time was parallel, how long they took, and their
 * tables.
 */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/html/html_bars.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"
#include "analyze/report/row_fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { BARS_MAX = 20, PLOTS_MAX = 5, INTERVALS_LEAST = 8 };

static char *name_of(const struct section *row)
{
	return section_is_rest(row)
		       ? memory_copy_text("outside")
		       : memory_print("%s%s", row->kind == SECTION_PHASE ? "phase " : "",
				      row->path);
}

/* ---- T_i */

static void add_part(struct html_bars *bars, const char *class, double start, double ns,
		     const char *name, const char *what)
{
	html_bars_part(bars, class, start, ns,
		       memory_print("%s\n%s: %s", name, what, quantity_seconds(ns).text));
}

static void print_levels(struct html_bars *bars, const struct section *row)
{
	double alone = (double)row->alone_ns, executing = (double)row->executing_ns;
	double elapsed = (double)row->elapsed_ns, several = fmax(0, executing - alone);
	char *name = name_of(row);

	html_bars_row(bars, name);
	add_part(bars, "user", 0, several, name, "two threads or more on a processor");
	add_part(bars, "system", several, alone, name, "one");
	add_part(bars, "other", executing, fmax(0, elapsed - executing), name, "none");
	free(name);
}

static void print_all_levels(const struct report *report)
{
	static const struct html_key keys[] = {{"user", "two threads or more on a processor"},
					       {"system", "one"},
					       {"other", "none"}};
	const struct sections *all = &report->run->sections;
	size_t count = all->count < BARS_MAX ? all->count : BARS_MAX;
	struct html_bars bars;
	double most = 0;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, (double)all->rows[i].elapsed_ns);
	if (!(most > 0))
		return;
	html_bars_begin(&bars, report->out, "Elapsed time of sections by threads on a processor",
			"Elapsed time of sections", count, most);
	for (size_t i = 0; i < count; i++)
		print_levels(&bars, &all->rows[i]);
	html_bars_end(&bars, HTML_ALL(keys));
}

/* ---- lengths */

/* The bins that are not empty, and what is between them. */
struct bins {
	unsigned first, last;
	uint64_t most;
};

static struct bins bins_of(const struct histogram *lengths)
{
	struct bins bins = {HISTOGRAM_BINS, 0, 0};

	for (unsigned b = 0; b < HISTOGRAM_BINS; b++)
		if (lengths->bins[b]) {
			bins.first = bins.first < b ? bins.first : b;
			bins.last = b;
			bins.most = lengths->bins[b] > bins.most ? lengths->bins[b] : bins.most;
		}
	return bins;
}

static void print_bin(struct html_bars *bars, const struct section *row, unsigned bin)
{
	double low = bin ? ldexp(1, (int)bin) : 0;
	char *name = memory_print("%s to %s", quantity_seconds(low).text,
				  quantity_seconds(ldexp(1, (int)bin + 1)).text);

	html_bars_row(bars, name);
	html_bars_part(bars, "system", 0, (double)row->lengths.bins[bin],
		       memory_print("%s: %" PRIu64 " of %" PRIu64, name, row->lengths.bins[bin],
				    row->intervals));
	free(name);
}

static void print_lengths(const struct report *report, const struct section *row)
{
	struct bins bins = bins_of(&row->lengths);
	char *name = name_of(row);
	char *caption = memory_print("How long %s took, %s", name,
				     quantity_things((double)row->intervals, "interval").text);
	struct html_bars bars;

	html_bars_begin(&bars, report->out, caption, "Intervals by their lengths",
			bins.last - bins.first + 1, (double)bins.most);
	for (unsigned b = bins.first; b <= bins.last; b++)
		print_bin(&bars, row, b);
	html_bars_end(&bars, NULL, 0);
	free(caption);
	free(name);
}

/* Of few nothing is to be seen but the table. */
static void print_all_lengths(const struct report *report)
{
	const struct sections *all = &report->run->sections;
	size_t plots = 0;

	for (size_t i = 0; i < all->count && plots < PLOTS_MAX; i++)
		if (all->rows[i].intervals >= INTERVALS_LEAST) {
			print_lengths(report, &all->rows[i]);
			plots++;
		}
}

/* ---- all of it */

/* Rows with what is of pages only; as many as the JSON has. */
static void print_table(const struct report *report, const char *caption,
			const struct row_fields *fields, const void *rows, size_t row_bytes,
			struct json_object *list)
{
	struct json_object *shown = json_object_new_array();

	for (size_t i = 0; i < html_json_count(list); i++)
		json_object_array_add(
			shown, row_page_json(report, fields, (const char *)rows + i * row_bytes));
	if (html_json_count(shown))
		row_fields_html(report, caption, fields, shown, NULL);
	json_object_put(shown);
}

void html_sections(const struct report *report, struct json_object *json)
{
	const struct sections *all = &report->run->sections;

	print_all_levels(report);
	print_table(report, "Sections, each with those within it behind it, and the rest outside",
		    &sections_fields, all->rows, sizeof *all->rows, html_json_at(json, "rows"));
	print_all_lengths(report);
	print_table(report, "Those that took longer than four times the shortest",
		    &section_intervals_fields, all->intervals, sizeof *all->intervals,
		    html_json_at(json, "intervals"));
	print_table(report, "Marks, by name", &section_marks_fields, all->marks, sizeof *all->marks,
		    html_json_at(json, "marks"));
}
