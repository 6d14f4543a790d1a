/* SPDX-License-Identifier: MIT */
/* How many threads were active, over time; and for how long each number was. */
#include "analyze/base/memory.h"
#include "analyze/html/html_bars.h"
#include "analyze/html/html_parts.h"
#include "analyze/html/html_sections.h"
#include "analyze/model/time/timeline_mean.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_table.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_efficiency.h"

#include <math.h>
#include <stdlib.h>

#define PLOT_HEIGHT 150
#define TABLE_ROWS  32 /* in the table of the time line */
#define LEVEL_ROWS  40 /* with more, several numbers of threads share a row */
#define GRID_LINES  4
#define TICKS       8
#define COVERED     0.98 /* of the CPU time: if less is shown, the page says so */

static const struct html_key keys[] = {{"system", "on a processor"},
				       {"user", "useful: and in no wait"}};

/* ---- over time */

/* Drawn after the areas, which would hide it otherwise. */
static void print_grid(FILE *out, double most)
{
	double step = fmax(1, html_svg_grid(most, GRID_LINES));

	for (double at = step; at <= most * 1.001; at += step) {
		double y = PLOT_HEIGHT * (1 - at / most);
		char *label = memory_print("%.0f", at);

		html_svg_line(out, "grid", 0, y, 100, y);
		html_svg_text(out, "muted on", 0.3, y + 12, label);
		free(label);
	}
}

static void print_timeline_table(FILE *out, const struct run_timeline *timeline)
{
	static const struct html_column columns[] = {{"from", HTML_RIGHT},
						     {"to", HTML_RIGHT},
						     {"on a processor", HTML_RIGHT},
						     {"useful", HTML_RIGHT}};
	struct html_table *table =
		html_table_create("Mean number of threads over time", columns, 4);
	size_t width = timeline->count / TABLE_ROWS + (timeline->count % TABLE_ROWS != 0);

	for (size_t first = 0; first < timeline->count; first += width) {
		size_t end = first + width < timeline->count ? first + width : timeline->count;
		struct timeline_mean mean = timeline_mean_of(timeline, first, end);

		html_add_seconds(table, mean.from_ns, GRADE_EXACT);
		html_add_seconds(table, mean.to_ns, GRADE_EXACT);
		html_table_add(table, text_number(mean.on_processor));
		html_table_add(table, text_number(mean.useful));
	}
	html_behind(table, out);
}

/* Says so if the plot shows less than the CPU time. */
static void print_coverage(const struct report *report, const struct timeline_means *means)
{
	double cpu_ns = (double)report->run->cpu_ns;

	if (!(means->on_processor_ns < COVERED * cpu_ns))
		return;
	char *share = text_percent(100 * means->on_processor_ns / cpu_ns);
	char *text = memory_print("The time line holds %s of the CPU time: of the rest it is not "
				  "known when it was",
				  share);

	html_element(report->out, "p", "more", text);
	free(share);
	free(text);
}

static void print_timeline(const struct report *report)
{
	const struct run_timeline *timeline = &report->run->timeline;
	struct timeline_means means = timeline_means_of(timeline);
	double most = fmax(1, fmax(means.most, (double)report->run->processors));
	struct html_box box = {0, 0, 100, PLOT_HEIGHT};
	double processors = PLOT_HEIGHT * (1 - (double)report->run->processors / most);
	FILE *out = report->out;

	html_plot_begin(out, "Mean number of threads over time, all processes together; the dashed "
			     "line is the number of processors");
	html_svg_begin(out, "timeline",
		       "Mean number of threads on a processor, and useful, over "
		       "time",
		       PLOT_HEIGHT + HTML_AXIS_HEIGHT);
	html_svg_steps(out, "area system", box, means.on_processor, timeline->count, most, true);
	html_svg_steps(out, "area user", box, means.useful, timeline->count, most, true);
	print_grid(out, most);
	if (report->run->processors)
		html_svg_line(out, "limit", 0, fmax(0.5, processors), 100, fmax(0.5, processors));
	html_time_axis(out, (struct html_box){0, PLOT_HEIGHT, 100, 0},
		       (double)timeline->bin_ns * (double)timeline->count, TICKS);
	html_svg_end(out);
	html_legend(out, keys, sizeof keys / sizeof *keys);
	html_plot_end(out);
	print_coverage(report, &means);
	print_timeline_table(out, timeline);
	timeline_means_clear(&means);
}

/* ---- for how long */

struct levels {
	const struct efficiency *on_processor, *useful;
	uint64_t highest, width; /* of a row, in threads */
};

/* The last level of the row; in a damaged profile it may be any number. */
static uint64_t level_end(const struct levels *levels, uint64_t low)
{
	return levels->highest - low < levels->width ? levels->highest : low + levels->width - 1;
}

static char *level_name(const struct levels *levels, uint64_t low)
{
	return levels->width == 1 ? memory_print("%llu", (unsigned long long)low)
				  : memory_print("%llu to %llu", (unsigned long long)low,
						 (unsigned long long)level_end(levels, low));
}

static void add_level(struct html_table *table, const struct efficiency *efficiency,
		      const struct levels *levels, uint64_t low)
{
	double ns = efficiency_range_ns(efficiency, low, level_end(levels, low));
	double whole = (double)efficiency->total_ns;

	html_add_seconds(table, whole > 0 ? ns : NAN, efficiency->grade);
	html_table_add(table, whole > 0 ? text_percent(100 * ns / whole) : memory_copy_text(""));
	html_table_set_share(table, whole > 0 ? ns / whole : NAN);
}

/* The histogram is the table: a bar behind each share. */
static void print_levels(const struct report *report)
{
	static const struct html_column columns[] = {
		{"active threads", HTML_RIGHT}, {"on a processor", HTML_RIGHT},
		{"share", HTML_LEFT},           {"useful", HTML_RIGHT},
		{"share", HTML_LEFT},
	};
	struct levels levels = {run_on_processor(report->run), run_useful(report->run), 0, 1};
	struct html_table *table =
		html_table_create("Time with so many threads active at once", columns, 5);
	uint64_t on = efficiency_highest(levels.on_processor),
		 useful = efficiency_highest(levels.useful);

	levels.highest = on > useful ? on : useful;
	levels.width = levels.highest / LEVEL_ROWS + 1;
	for (uint64_t low = 0, end;; low = end + 1) {
		end = level_end(&levels, low);
		html_table_add(table, level_name(&levels, low));
		add_level(table, levels.on_processor, &levels, low);
		add_level(table, levels.useful, &levels, low);
		if (end == levels.highest)
			break;
	}
	html_table_print(table, report->out);
}

static void add_figures(struct html_table *table, const char *name,
			const struct report_efficiency_group *group,
			const struct efficiency *efficiency)
{
	html_table_add(table, memory_copy_text(name));
	for (size_t i = 0; i < REPORT_EFFICIENCY_FIGURES; i++) {
		const struct report_efficiency_figure *figure = &group->figures[i];

		html_table_add(table, text_graded(figure->format(figure->value(efficiency)),
						  efficiency->grade, true));
	}
}

static void print_figures(const struct report *report, const struct report_efficiency_group *group)
{
	struct html_column columns[REPORT_EFFICIENCY_FIGURES + 1] = {{"threads", HTML_LEFT}};
	char *caption = memory_print("What follows from it, %s", group->title);

	for (size_t i = 0; i < REPORT_EFFICIENCY_FIGURES; i++)
		columns[i + 1] = (struct html_column){group->figures[i].title, HTML_RIGHT};
	struct html_table *table =
		html_table_create(caption, columns, REPORT_EFFICIENCY_FIGURES + 1);

	add_figures(table, "on a processor", group, run_on_processor(report->run));
	add_figures(table, "useful", group, run_useful(report->run));
	html_table_print(table, report->out);
	free(caption);
}

/* As few bars as there is room for beside the time line. */
#define BARS 8

static void print_level_bar(struct html_bars *bars, const struct efficiency *on,
			    const struct levels *levels, uint64_t low)
{
	double whole_ns = (double)on->total_ns;
	double ns = efficiency_range_ns(on, low, level_end(levels, low));
	char *name = level_name(levels, low);
	char *share = text_percent(100 * ns / whole_ns);

	html_bars_row(bars, name);
	html_bars_part(bars, "system", 0, ns, memory_print("%s active: %s", name, share));
	free(share);
	free(name);
}

static void print_level_bars(const struct report *report)
{
	const struct efficiency *on = run_on_processor(report->run);
	struct levels levels = {on, on, efficiency_highest(on), 1};
	char *ceff = text_graded(text_percent(on->ceff_percent), on->grade, true);
	char *caption = memory_print("Shares of the time with so many threads active at once; "
				     "CEFF %s",
				     ceff);
	struct html_bars bars;

	levels.width = levels.highest / BARS + 1;
	html_bars_begin(&bars, report->out, caption, "Time with so many threads active",
			(size_t)(levels.highest / levels.width + 1), (double)on->total_ns);
	for (uint64_t low = 0, end;; low = end + 1) {
		end = level_end(&levels, low);
		print_level_bar(&bars, on, &levels, low);
		if (end == levels.highest)
			break;
	}
	html_bars_end(&bars, keys, 1);
	free(ceff);
	free(caption);
}

/* Of one thread nothing but its mean is known. */
static bool has_timeline(const struct report *report)
{
	return report->run->timeline.count && report->run->thread_count > 1;
}

void html_concurrency_picture(const struct report *report)
{
	if (!has_timeline(report))
		return;
	fputs("<div class=\"picture\">\n<div>\n", report->out);
	print_timeline(report);
	fputs("</div>\n<div>\n", report->out);
	if (run_on_processor(report->run)->total_ns)
		print_level_bars(report);
	fputs("</div>\n</div>\n", report->out);
}

void html_concurrency(const struct report *report, struct json_object *json)
{
	if (has_timeline(report))
		print_timeline(report);
	html_concurrency_tables(report, json);
}

void html_concurrency_tables(const struct report *report, struct json_object *json)
{
	char *subject = report_concurrency_subject(report), *together = report_together(report);
	char *errors = report_window_errors(report);

	(void)json;
	if (together)
		html_element(report->out, "p", "note", together);
	if (subject)
		html_element(report->out, "p", "note", subject);
	free(together);
	free(subject);
	print_levels(report);
	if (errors)
		html_element(report->out, "p", "note", errors);
	free(errors);
	for (size_t i = 0; i < REPORT_EFFICIENCY_GROUPS; i++)
		print_figures(report, &report_efficiency_groups[i]);
}
