/* SPDX-License-Identifier: MIT */
/* The page on scaling: tables out of the JSON, and the speedup as a plot. */
#include "analyze/html/html_json.h"
#include "analyze/html/html_page.h"
#include "analyze/html/html_parts.h"
#include "analyze/html/html_svg.h"
#include "analyze/memory.h"
#include "analyze/print/text_format.h"
#include "analyze/scaling/scaling_laws.h"
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

/* Both axes begin at 0 and end at the same factor: the diagonal is what would be ideal. */
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
		char *speedup = memory_print("%g", at), *p = memory_print("p = %g", at * p0);

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
		char *title = memory_print("%s: speedup %.2f, efficiency %s", p, y[i], efficiency);

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

static const struct html_field point_fields[] = {
	HTML_FIELD("p", "p", NUMBER),
	HTML_FIELD("elapsed_seconds", "elapsed", SECONDS),
	HTML_FIELD("speedup", "speedup", NUMBER),
	HTML_FIELD("efficiency", "efficiency", FRACTION),
	HTML_FIELD("karp_flatt", "Karp-Flatt", FRACTION, .is_quiet = true),
	HTML_FIELD("gustafson_serial", "Gustafson", FRACTION, .is_quiet = true),
	HTML_FIELD("serial_seconds", "serial", SECONDS, .grade = "serial_grade"),
	HTML_FIELD("parallel_efficiency", "parallel efficiency", FRACTION),
	HTML_FIELD("computation_scaling", "computation scaling", FRACTION),
	HTML_FIELD("ready_seconds", "ready", SECONDS, .is_quiet = true),
	HTML_FIELD("lost_seconds", "lost", SECONDS, .is_quiet = true),
};

static const struct html_field cause_fields[] = {
	HTML_FIELD("text", "what", TEXT),
	HTML_FIELD("kind", "kind", TEXT),
	HTML_FIELD("share", "share of what is lost", FRACTION, .has_bar = true),
	HTML_FIELD("lost_seconds_per_doubling", "lost per doubling", NUMBER),
	HTML_FIELD("growth.term", "growth", TEXT),
	HTML_FIELD("growth.error_percent", "fit within, %", NUMBER, .is_quiet = true),
};

static char *blame_of(struct json_object *row)
{
	return html_json_text(html_json_at(row, "blame"), HTML_TEXT);
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
	struct json_object *root = scaling_json(it);
	char *verdict = scaling_verdict_text(it), *scale = scaling_scale_text(it);
	struct html_page frame = {scaling_median(it, 0)->program, verdict,
				  "ptrace-diff " PTRACE_VERSION, links,
				  it->notes.count ? COUNT(links) : COUNT(links) - 1};
	FILE *out = page->out;

	html_page_begin(out, &frame);
	html_section_begin(out, &links[0], scale, NULL);
	print_plot(out, it);
	html_json_table(out, "Runs, by p", point_fields, COUNT(point_fields),
			html_json_at(root, "points"), 0, NULL);
	html_section_end(out);
	print_laws(out, it);
	html_section_begin(out, &links[2],
			   "processor time that is lost at the largest p, by cause; seconds per "
			   "doubling of p",
			   NULL);
	html_json_table(out, "Causes, the most lost first", cause_fields, COUNT(cause_fields),
			html_json_at(root, "causes"), page->top, blame_of);
	html_section_end(out);
	if (it->notes.count)
		print_notes(out, it);
	html_page_end(out, &frame);
	json_object_put(root);
	free(verdict);
	free(scale);
}
