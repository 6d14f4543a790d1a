/* SPDX-License-Identifier: MIT */
/* The page on scaling: the speedup as a plot, and what the text has, in tables. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/html/html_parts.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_svg.h"
#include "analyze/page/html_table.h"
#include "analyze/print/text_format.h"
#include "analyze/scaling/scaling_laws.h"
#include "analyze/scaling/scaling_losses.h"
#include "analyze/scaling/scaling_print.h"
#include "analyze/scaling/scaling_words.h"

#include <math.h>
#include <stdlib.h>

#define PLOT_HEIGHT  220
#define AXIS_HEIGHT  18
#define GRID_LINES   5
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- speedup over p */

static const struct html_key keys[] = {{"user", "measured"}, {"system", "fitted"}};

/* Both axes begin at 0 and end at the same factor: the diagonal is the ideal. */
struct plot {
	FILE *out;
	double most; /* p / p0, and speedup */
	struct html_box box;
};

static void print_grid(const struct plot *plot, double p0)
{
	double step = html_svg_grid(plot->most, GRID_LINES);

	for (double at = step; at <= plot->most * 1.001; at += step) {
		double y = PLOT_HEIGHT * (1 - at / plot->most), x = 100 * at / plot->most;
		char *speedup = memory_copy_text(quantity_plain(at).text),
		     *p = memory_print("p = %s", quantity_plain(at * p0).text);

		html_svg_line(plot->out, "grid", 0, y, 100, y);
		html_svg_text(plot->out, "muted on", 0.3, y + 12, speedup);
		html_svg_text(plot->out, at < plot->most * 0.97 ? "muted middle" : "muted end", x,
			      PLOT_HEIGHT + AXIS_HEIGHT - 3, p);
		free(speedup);
		free(p);
	}
	html_svg_line(plot->out, "axis", 0, PLOT_HEIGHT, 100, PLOT_HEIGHT);
	html_svg_line(plot->out, "limit", 0, PLOT_HEIGHT, 100, 0);
}

static void print_curves(const struct plot *plot, const struct scaling *it)
{
	double *x = memory_allocate(it->count, sizeof *x),
	       *y = memory_allocate(it->count, sizeof *y);
	double *fitted = memory_allocate(it->count, sizeof *fitted);

	for (size_t i = 0; i < it->count; i++) {
		const struct scaling_point *point = &it->points[i];
		double work = point->speedup * scaling_median(it, i)->elapsed_ns; /* w T(p0) */

		x[i] = point->p / it->points[0].p;
		y[i] = point->speedup;
		fitted[i] = work / growth_fit_at(&it->growth, point->p);
	}
	html_svg_curve(plot->out, "line system", plot->box, x, fitted, it->count, plot->most,
		       plot->most);
	html_svg_curve(plot->out, "line user", plot->box, x, y, it->count, plot->most, plot->most);
	for (size_t i = 0; i < it->count; i++) {
		char *p = scaling_p_text(it, it->points[i].p);
		char *efficiency = text_percent(100 * it->points[i].efficiency);
		char *title = memory_print("%s: speedup %s, efficiency %s", p,
					   quantity_number(y[i]).text, efficiency);

		html_svg_dot(plot->out, "user", 100 * x[i] / plot->most,
			     PLOT_HEIGHT * (1 - y[i] / plot->most), 4, title);
		free(p);
		free(efficiency);
		free(title);
	}
	free(x);
	free(y);
	free(fitted);
}

static void print_plot(FILE *out, const struct scaling *it)
{
	struct plot plot = {
		out, it->points[it->count - 1].p / it->points[0].p, {0, 0, 100, PLOT_HEIGHT}};

	for (size_t i = 0; i < it->count; i++)
		plot.most = fmax(plot.most, it->points[i].speedup);
	plot.most *= 1.03; /* room for the last dot */
	html_plot_begin(out, it->is_weak ? "Scaled speedup; the dashed line is p / p0"
					 : "Speedup; the dashed line is p / p0");
	html_svg_begin(out, "scaling", "Speedup over the number of threads or ranks",
		       PLOT_HEIGHT + AXIS_HEIGHT);
	print_grid(&plot, it->points[0].p);
	print_curves(&plot, it);
	html_svg_end(out);
	html_legend(out, keys, it->growth.is_known ? 2 : 1);
	html_plot_end(out);
}

/* ---- tables */

/* Adds a text with the exact figure, as JSON has it. */
static void add(struct html_table *table, char *text, double value)
{
	html_table_add(table, text);
	if (isfinite(value))
		html_table_set_value(table, memory_print("%.9g", value));
}

static void add_fraction(struct html_table *table, double fraction)
{
	add(table, text_percent(100 * fraction), fraction);
}

static void add_difference(struct html_table *table, double ns)
{
	add(table, scaling_difference_text(ns), ns / 1e9);
}

static void add_point(struct html_table *table, const struct scaling *it, size_t index)
{
	const struct scaling_point *point = &it->points[index];
	const struct scaling_run *run = scaling_median(it, index);

	add(table, memory_copy_text(quantity_plain(point->p).text), point->p);
	add(table, text_count(point->count), (double)point->count);
	html_add_seconds(table, run->elapsed_ns, GRADE_EXACT);
	add(table, text_number(point->speedup), point->speedup);
	add_fraction(table, point->efficiency);
	if (index)
		add_fraction(table, point->serial);
	else
		html_table_add(table, memory_copy_text(""));
	html_add_seconds(table, run->sequential_ns, run->sequential_grade);
	add_fraction(table, run->parallel);
	add_fraction(table, point->computation);
	add_difference(table, point->lost_ns);
}

static void print_points(FILE *out, const struct scaling *it)
{
	const struct html_column columns[] = {
		{"p", HTML_RIGHT},
		{"runs", HTML_RIGHT},
		{"elapsed", HTML_RIGHT},
		{"speedup", HTML_RIGHT},
		{"efficiency", HTML_RIGHT},
		{it->is_weak ? "Gustafson" : "Karp-Flatt", HTML_RIGHT},
		{"serial", HTML_RIGHT},
		{"parallel efficiency", HTML_RIGHT},
		{"computation scaling", HTML_RIGHT},
		{"lost", HTML_RIGHT},
	};
	struct html_table *table = html_table_create("Runs, by p", columns, COUNT(columns));

	for (size_t i = 0; i < it->count; i++)
		add_point(table, it, i);
	html_table_print(table, out);
}

static void add_cause(struct html_table *table, const struct scaling *it,
		      const struct scaling_cause *cause)
{
	size_t last = it->count - 1;
	double lost_ns = cause->lost_ns[last], all_ns = it->points[last].lost_ns;
	double share = all_ns > 0 ? lost_ns / all_ns : NAN;
	char *blame = scaling_blame_text(cause);

	html_table_add(table, scaling_cause_text(cause));
	html_table_add(table, memory_copy_text(cost_kind_name(cause->kind)));
	add_difference(table, lost_ns);
	add(table, scaling_share_text(share), share);
	if (share > 0)
		html_table_set_share(table, fmin(1, share));
	add_difference(table, lost_ns / log2(it->points[last].p / it->points[0].p));
	for (size_t i = 0; i < it->count; i++)
		add_difference(table, cause->time_ns[i]);
	html_table_add(table, cause->kind == COST_REST ? memory_copy_text("")
						       : growth_fit_text(&cause->growth));
	if (blame)
		html_table_add_detail(table, blame);
}

static void print_causes(const struct scaling_page *page, const struct scaling *it)
{
	static const struct html_column first[] = {{"what", HTML_LEFT},
						   {"kind", HTML_LEFT},
						   {"lost", HTML_RIGHT},
						   {"share", HTML_RIGHT},
						   {"per doubling", HTML_RIGHT}};
	size_t count = 0, left_out;
	bool *is_shown = scaling_choose_causes(it, page->top, &left_out);
	struct html_column *columns =
		memory_allocate(COUNT(first) + it->count + 1, sizeof *columns);

	for (; count < COUNT(first); count++)
		columns[count] = first[count];
	for (size_t i = 0; i < it->count; i++)
		columns[count++] = (struct html_column){
			memory_print("p = %s", quantity_plain(it->points[i].p).text), HTML_RIGHT};
	columns[count++] = (struct html_column){"growth of the time", HTML_LEFT};
	struct html_table *table = html_table_create("Causes, the most lost first", columns, count);

	for (size_t i = 0; i < it->cause_count; i++)
		if (is_shown[i])
			add_cause(table, it, &it->causes[i]);
	html_table_print(table, page->out);
	html_more(page->out, left_out);
	for (size_t i = 0; i < it->count; i++)
		free((char *)columns[COUNT(first) + i].title);
	free(columns);
	free(is_shown);
}

/* ---- the page */

static const struct html_link links[] = {
	{"scaling", "Scaling"}, {"laws", "Laws"}, {"losses", "Losses"}, {"notes", "Notes"}};

static void print_laws(FILE *out, const struct scaling *it)
{
	struct scaling_law laws[SCALING_LAWS];
	size_t count = scaling_laws_of(it, true, laws);

	html_section_begin(
		out, &links[1],
		"what the elapsed times follow, and what more threads or ranks could give", NULL);
	fputs("<dl class=\"facts\">\n", out);
	for (size_t i = 0; i < count; i++) {
		html_element(out, "dt", NULL, laws[i].name);
		html_element(out, "dd", NULL, laws[i].text);
		free(laws[i].text);
	}
	fputs("</dl>\n", out);
	html_section_end(out);
}

static void print_notes(FILE *out, const struct scaling *it)
{
	html_section_begin(out, &links[3], "what to know before believing it", NULL);
	fputs("<ul class=\"plain\">\n", out);
	for (size_t i = 0; i < it->notes.count; i++)
		html_element(out, "li", NULL, it->notes.texts[i]);
	fputs("</ul>\n", out);
	html_section_end(out);
}

void scaling_print_html(const struct scaling_page *page, const struct scaling *it)
{
	char *verdict = scaling_verdict_text(it), *scale = scaling_scale_text(it);
	struct html_page frame = {scaling_median(it, 0)->program, verdict,
				  "ptrace-diff " PTRACE_VERSION, links,
				  it->notes.count ? COUNT(links) : COUNT(links) - 1};
	FILE *out = page->out;

	html_page_begin(out, &frame);
	html_section_begin(out, &links[0], scale, NULL);
	print_plot(out, it);
	print_points(out, it);
	html_section_end(out);
	print_laws(out, it);
	html_section_begin(
		out, &links[2],
		"processor time that is lost at the largest p, by cause; negative: it takes "
		"less than at the smallest",
		NULL);
	print_causes(page, it);
	html_section_end(out);
	if (it->notes.count)
		print_notes(out, it);
	html_page_end(out, &frame);
	free(verdict);
	free(scale);
}
