/* SPDX-License-Identifier: MIT */
/* The axis is logarithmic, as lengths are counted by powers of two and go from nanoseconds to
 * seconds. Each histogram has a height of its own: a lock with millions of waits is beside a join
 * with two. */
#include "analyze/html/html_waits.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/html/html_parts.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_table.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW_HEIGHT  46
#define BARS_HEIGHT 36
#define BAR_LEAST   3  /* pixels: of a bin with any wait */
#define NAME_WIDTH  25 /* percent */
#define BARS_LEFT   26
#define BARS_WIDTH  74
#define ALL_DECADES 4 /* with more than these, labels are a factor of 1000 apart */
#define PLOTS_MAX   20

struct waits_plot {
	FILE *out;
	struct json_object *rows; /* that are shown */
	double low, high;         /* log2 of nanoseconds: the ends of the axis */
};

/* ---- bins */

static double from_of(struct json_object *bin)
{
	return log2(fmax(1, 1e9 * html_json_figure(bin, "from_seconds", 0)));
}

/* The last bin is open: it is drawn as wide as the others. */
static double below_of(struct json_object *bin)
{
	double below = html_json_figure(bin, "below_seconds", NAN);

	return isnan(below) ? from_of(bin) + 1 : log2(1e9 * below);
}

static double count_of(struct json_object *bin)
{
	return html_json_figure(bin, "count", 0);
}

static struct json_object *bins_of(struct json_object *row)
{
	return html_json_at(row, "lengths");
}

/* "1.02 us to 2.05 us", "2.15 s and longer" */
static char *bin_text(struct json_object *bin)
{
	struct json_object *below = html_json_at(bin, "below_seconds");
	char *from = html_json_text(html_json_at(bin, "from_seconds"), HTML_SECONDS);
	char *to = below ? html_json_text(below, HTML_SECONDS) : NULL;
	char *text = to ? memory_print("%s to %s", from, to) : memory_print("%s and longer", from);

	free(from);
	free(to);
	return text;
}

/* ---- which rows */

static bool is_same(struct json_object *a, struct json_object *b, const char *key)
{
	const char *left = json_object_get_string(html_json_at(a, key)),
		   *right = json_object_get_string(html_json_at(b, key));

	return left && right && !strcmp(left, right);
}

static bool is_among(struct json_object *row, struct json_object *list)
{
	for (size_t i = 0; i < html_json_count(list); i++) {
		struct json_object *other = html_json_element(list, i);

		if (is_same(row, other, "name") && is_same(row, other, "operation") &&
		    is_same(row, other, "kind"))
			return true;
	}
	return false;
}

static struct json_object *choose(struct json_object *waits, struct json_object *among, size_t most)
{
	struct json_object *chosen = json_object_new_array();

	for (size_t i = 0; i < html_json_count(waits) && html_json_count(chosen) < most; i++) {
		struct json_object *row = html_json_element(waits, i);

		if (html_json_count(bins_of(row)) && (!among || is_among(row, among)))
			json_object_array_add(chosen, json_object_get(row));
	}
	return chosen;
}

static void set_ends(struct waits_plot *plot)
{
	plot->low = INFINITY;
	plot->high = -INFINITY;
	for (size_t i = 0; i < html_json_count(plot->rows); i++) {
		struct json_object *bins = bins_of(html_json_element(plot->rows, i));
		struct json_object *last = html_json_element(bins, html_json_count(bins) - 1);

		plot->low = fmin(plot->low, from_of(html_json_element(bins, 0)));
		plot->high = fmax(plot->high, below_of(last));
	}
}

/* ---- a row */

static double x_of(const struct waits_plot *plot, double log2_ns)
{
	double span = plot->high - plot->low;

	return BARS_LEFT + (span > 0 ? BARS_WIDTH * (log2_ns - plot->low) / span : 0);
}

static double most_of(struct json_object *bins)
{
	double most = 0;

	for (size_t i = 0; i < html_json_count(bins); i++)
		most = fmax(most, count_of(html_json_element(bins, i)));
	return most;
}

static void print_bin(const struct waits_plot *plot, struct json_object *row,
		      struct json_object *bin, double most, double bottom)
{
	double height = fmax(BAR_LEAST, BARS_HEIGHT * count_of(bin) / most);
	double x = x_of(plot, from_of(bin)), all = html_json_figure(row, "count", 0);
	char *length = bin_text(bin), *share = text_percent(100 * count_of(bin) / all);
	char *title = memory_print("%s: %s, %s", length,
				   quantity_things(count_of(bin), "wait").text, share);

	html_svg_rect(plot->out, "user",
		      (struct html_box){x, bottom - height, x_of(plot, below_of(bin)) - x, height},
		      title);
	free(length);
	free(share);
	free(title);
}

static void print_names(const struct waits_plot *plot, struct json_object *row, double top)
{
	char *what = memory_print("%s: %s", json_object_get_string(html_json_at(row, "operation")),
				  quantity_things(html_json_figure(row, "count", 0), "wait").text);

	html_svg_label(plot->out, "name", (struct html_box){0, top, NAME_WIDTH, 20},
		       json_object_get_string(html_json_at(row, "name")));
	html_svg_label(plot->out, "muted", (struct html_box){0, top + 17, NAME_WIDTH, 18}, what);
	free(what);
}

static void print_row(const struct waits_plot *plot, size_t index)
{
	struct json_object *row = html_json_element(plot->rows, index), *bins = bins_of(row);
	double top = (double)(index * ROW_HEIGHT), bottom = top + ROW_HEIGHT - 2;
	double most = most_of(bins);

	print_names(plot, row, top);
	for (size_t i = 0; i < html_json_count(bins) && most > 0; i++)
		print_bin(plot, row, html_json_element(bins, i), most, bottom);
	html_svg_line(plot->out, "grid", BARS_LEFT, bottom, BARS_LEFT + BARS_WIDTH, bottom);
}

/* ---- the axis: powers of ten of nanoseconds */

static void print_axis(const struct waits_plot *plot, double height)
{
	bool are_all = plot->high - plot->low <= ALL_DECADES * log2(10);

	for (int decade = 0; decade * log2(10) <= plot->high; decade++) {
		double x = x_of(plot, decade * log2(10));
		bool is_labelled = are_all || decade % 3 == 0;

		if (x < BARS_LEFT)
			continue;
		html_svg_line(plot->out, is_labelled ? "axis" : "grid", x, height, x, height + 4);
		if (!is_labelled)
			continue;
		char *label = text_seconds(pow(10, decade));

		html_svg_line(plot->out, "grid", x, 0, x, height);
		html_svg_text(plot->out, x > 97 ? "muted end" : "muted middle", x,
			      height + HTML_AXIS_HEIGHT - 3, label);
		free(label);
	}
}

/* ---- the table behind */

static void add_row(struct html_table *table, struct json_object *row)
{
	struct json_object *bins = bins_of(row);

	for (size_t i = 0; i < html_json_count(bins); i++) {
		struct json_object *bin = html_json_element(bins, i);
		struct json_object *count = html_json_at(bin, "count");

		html_table_add(table, html_json_text(html_json_at(row, "name"), HTML_TEXT));
		html_table_add(table, html_json_text(html_json_at(row, "operation"), HTML_TEXT));
		html_table_add(table, bin_text(bin));
		html_table_set_value(table, memory_copy_text(json_object_get_string(
						    html_json_at(bin, "from_seconds"))));
		html_table_add(table, html_json_text(count, HTML_COUNT));
		html_table_set_value(table, memory_copy_text(json_object_get_string(count)));
	}
}

static void print_table(const struct waits_plot *plot)
{
	static const struct html_column columns[] = {{"object", HTML_LEFT},
						     {"operation", HTML_LEFT},
						     {"length", HTML_RIGHT},
						     {"waits", HTML_RIGHT}};
	struct html_table *table = html_table_create("Waits by their length", HTML_ALL(columns));

	for (size_t i = 0; i < html_json_count(plot->rows); i++)
		add_row(table, html_json_element(plot->rows, i));
	html_behind(table, plot->out);
}

void html_waits_plot(const struct report *report, struct json_object *waits,
		     struct json_object *among, size_t most)
{
	struct waits_plot plot = {.out = report->out, .rows = choose(waits, among, most)};
	size_t count = html_json_count(plot.rows);
	double height = (double)(count * ROW_HEIGHT);

	if (count) {
		set_ends(&plot);
		html_plot_begin(plot.out, "How long waits took: each bar is as high as there were "
					  "waits of its length, of the most in its row; a "
					  "single one is visible");
		html_svg_begin(plot.out, "waits", "Waits by their length, by object",
			       height + HTML_AXIS_HEIGHT);
		print_axis(&plot, height);
		for (size_t i = 0; i < count; i++)
			print_row(&plot, i);
		html_svg_end(plot.out);
		html_plot_end(plot.out);
		print_table(&plot);
	}
	json_object_put(plot.rows);
}

void html_waits(const struct report *report, struct json_object *json)
{
	html_waits_plot(report, json, NULL, PLOTS_MAX);
	row_fields_html(report, "Lengths of waits, the most waiting first", &waits_fields, json,
			NULL);
}
