/* SPDX-License-Identifier: MIT */
/* The section counters as text: totals; then by thread, by routine, and in waits, with as many
 * events and metrics side by side as the width has room for. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/counters/counter_price.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/counter_figures.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- totals */

static char *spread_text(const struct counter_figure *figure, const struct spread *spread,
			 double value)
{
	return spread && spread->count ? counter_figure_text(figure, value) : memory_copy_text("");
}

static char *name_text(const struct counter_figure *figure)
{
	const char *unit = counter_figure_unit(figure);

	if (!figure->metric)
		return memory_copy_text(counter_figure_name(figure));
	return memory_print("%s = %s%s%s", figure->metric->name, figure->metric->formula,
			    *unit ? ", " : "", unit);
}

static void add_total(const struct report *report, struct text_table *table,
		      const struct counter_figure *figure)
{
	const struct counters *counters = figure->counters;
	const struct counter *event = figure->event ? &counters->rows[figure->event] : NULL;
	const struct spread *spread =
		event ? &event->by[report->is_by_process ? BY_PROCESS : BY_THREAD] : NULL;
	double value = counter_figure_value(figure, &counters->whole, COUNTER_SELF);

	text_table_add(table, text_graded(counter_figure_text(figure, value),
					  counter_figure_grade(figure), report->is_utf8));
	text_table_add(table, event && isfinite(event->coverage)
				      ? text_percent(100 * event->coverage)
				      : memory_copy_text(""));
	text_table_add(table,
		       spread && spread->count ? text_count(spread->count) : memory_copy_text(""));
	text_table_add(table, spread_text(figure, spread, spread ? spread->min_ns : NAN));
	text_table_add(table, spread_text(figure, spread, spread ? spread->max_ns : NAN));
	text_table_add(table, spread && spread->count > 1 && spread->max_ns > 0
				      ? text_percent(report_counter_imbalance(spread))
				      : memory_copy_text(""));
	text_table_add(table, name_text(figure));
}

static void print_totals(const struct report *report)
{
	const struct text_column columns[] = {
		{"total", TEXT_RIGHT},
		{"coverage", TEXT_RIGHT},
		{report->is_by_process ? "processes" : "threads", TEXT_RIGHT},
		{"min", TEXT_RIGHT},
		{"max", TEXT_RIGHT},
		{"imbal.", TEXT_RIGHT},
		{"event", TEXT_FLEXIBLE},
	};
	const struct counters *counters = &report->run->counters;
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);

	for (size_t i = 0; i < counter_figure_count(counters); i++) {
		struct counter_figure figure = counter_figure_at(counters, i);

		add_total(report, table, &figure);
	}
	text_table_print(table, report->out, report->width, report->is_utf8);
}

/* A reason is told once, with all that it holds for. */
static void print_reasons(const struct report *report)
{
	const struct counters *counters = &report->run->counters;
	size_t count = counter_figure_count(counters);
	char **reasons = memory_allocate(count, sizeof *reasons);

	for (size_t i = 0; i < count; i++) {
		struct counter_figure figure = counter_figure_at(counters, i);

		reasons[i] = counter_figure_reason(&figure);
	}
	for (size_t i = 0; i < count; i++) {
		struct counter_figure figure = counter_figure_at(counters, i);
		char *names = memory_copy_text(counter_figure_name(&figure));

		for (size_t k = i + 1; reasons[i] && k < count; k++) {
			struct counter_figure other = counter_figure_at(counters, k);

			if (!reasons[k] || strcmp(reasons[i], reasons[k]))
				continue;
			char *longer = memory_print("%s, %s", names, counter_figure_name(&other));

			free(names);
			free(reasons[k]);
			names = longer;
			reasons[k] = NULL;
		}
		if (reasons[i]) {
			char *text = memory_print("%s: %s", names, reasons[i]);

			report_print_wrapped(report, "  ", text);
			free(text);
		}
		free(names);
		free(reasons[i]);
	}
	free(reasons);
}

/* ---- what was counted where */

#define FIGURES_MAX 24
enum { NAME_COLUMNS = 24, FIGURE_COLUMNS = 8, TITLE_COLUMNS = 16, GAP_COLUMNS = 2 };

/* A table with the figures of places; what stands in front of them takes `taken` columns. */
struct grid {
	struct text_column columns[FIGURES_MAX + 4];
	size_t column_count;
	struct counter_figure figures[FIGURES_MAX];
	char *titles[FIGURES_MAX];
	size_t count, left_out;
};

/* Metrics first: they say more than the counts that they are made of. */
static void choose_figures(const struct report *report, struct grid *grid, unsigned taken,
			   bool (*is_shown)(const struct counter_figure *figure))
{
	const struct counters *counters = &report->run->counters;
	size_t events = counters->limit - 1, all = counter_figure_count(counters);
	unsigned left =
		report->width > taken + NAME_COLUMNS ? report->width - taken - NAME_COLUMNS : 0;

	for (size_t i = 0; i < all; i++) {
		struct counter_figure figure = counter_figure_at(counters, (events + i) % all);
		char *title =
			text_fit(counter_figure_name(&figure), TITLE_COLUMNS, report->is_utf8);
		unsigned wide = text_columns(title);

		wide = (wide < FIGURE_COLUMNS ? FIGURE_COLUMNS : wide) + GAP_COLUMNS;
		if (!is_shown(&figure) || grid->count == FIGURES_MAX ||
		    (grid->count && wide > left)) {
			grid->left_out += is_shown(&figure);
			free(title);
			continue;
		}
		left -= wide < left ? wide : left;
		grid->figures[grid->count] = figure;
		grid->titles[grid->count++] = title;
		grid->columns[grid->column_count++] = (struct text_column){title, TEXT_RIGHT};
	}
}

static void add_figures(const struct grid *grid, struct text_table *table,
			const struct counter_place *place)
{
	for (size_t i = 0; i < grid->count; i++) {
		const struct counter_figure *figure = &grid->figures[i];

		text_table_add(table,
			       counter_figure_text(
				       figure, counter_figure_value(figure, place, COUNTER_SELF)));
	}
}

static void print_grid(const struct report *report, struct grid *grid, struct text_table *table)
{
	text_table_print(table, report->out, report->width, report->is_utf8);
	if (grid->left_out) {
		char *rest =
			memory_print("(%s: --width, or --format csv)",
				     quantity_things((double)grid->left_out, "more column").text);

		report_print_wrapped(report, "  ", rest);
		free(rest);
	}
	for (size_t i = 0; i < grid->count; i++)
		free(grid->titles[i]);
}

/* ---- threads */

static void print_threads(const struct report *report)
{
	const struct counters *counters = &report->run->counters;
	const struct counter_places *places = report_counter_threads(report);
	struct grid grid = {0};

	if (places->count < 2)
		return;
	choose_figures(report, &grid, 0, counter_figure_is_local);
	grid.columns[grid.column_count++] = (struct text_column){
		places == &counters->of[COUNTER_PROCESS] ? "process" : "thread", TEXT_FLEXIBLE};
	struct text_table *table = text_table_create(grid.columns, grid.column_count);

	for (size_t i = 0; i < report_rows(report, places->count); i++) {
		add_figures(&grid, table, places->rows[i]);
		text_table_add(table, report_counter_unit(report, places->rows[i]));
	}
	print_grid(report, &grid, table);
	report_print_rest(report, places->count);
}

/* ---- routines */

/* The first event that was counted: rows are sorted by it, and shares are of it. */
static size_t leading_event(const struct counters *counters)
{
	for (size_t event = 1; event < counters->limit; event++)
		if (counters->rows[event].grade != GRADE_UNKNOWN)
			return event;
	return COUNTER_CPU;
}

static void print_routines(const struct report *report)
{
	const struct counters *counters = &report->run->counters;
	const struct counter_places *places = &counters->of[COUNTER_ROUTINE];
	size_t leading = leading_event(counters), count = places->count;
	double whole = counters->rows[leading].scaled;
	struct grid grid = {.columns = {{"share", TEXT_RIGHT}, {"error", TEXT_RIGHT}},
			    .column_count = 2};

	choose_figures(report, &grid, 16, counter_figure_is_local);
	grid.columns[grid.column_count++] = (struct text_column){"routine", TEXT_FLEXIBLE};
	struct text_table *table = text_table_create(grid.columns, grid.column_count);

	while (report->top && count &&
	       !counter_place_sum(places->rows[count - 1], leading, COUNTER_SELF)->count)
		count--; /* those that only call others */
	for (size_t i = 0; i < report_rows(report, count); i++) {
		const struct counter_place *place = places->rows[i];
		const struct counter_sum *sum = counter_place_sum(place, leading, COUNTER_SELF);

		text_table_add(table, whole > 0 ? text_percent(100 * sum->scaled / whole)
						: memory_copy_text(""));
		text_table_add(table, report_error_text(report, sum->samples));
		add_figures(&grid, table, place);
		text_table_add(table, report_place(report, place->a, 0));
	}
	print_grid(report, &grid, table);
	report_print_more(report, places->count - report_rows(report, count));
}

/* ---- alone and in company */

static void print_prices(const struct report *report)
{
	static const struct text_column columns[] = {
		{"IPC alone", TEXT_RIGHT},      {"in company", TEXT_RIGHT},
		{"CPU in company", TEXT_RIGHT}, {"price", TEXT_RIGHT},
		{"error", TEXT_RIGHT},          {"routine", TEXT_FLEXIBLE},
	};
	const struct counters *counters = &report->run->counters;
	const struct counter_places *places = &counters->of[COUNTER_ROUTINE];
	struct text_table *table = NULL;

	for (size_t i = 0; i < report_rows(report, places->count); i++) {
		struct counter_price price = counters_price(counters, places->rows[i]);

		if (isnan(price.ns))
			continue;
		if (!table)
			table = text_table_create(columns, sizeof columns / sizeof *columns);
		text_table_add(table, text_number(price.ipc_alone));
		text_table_add(table, text_number(price.ipc_company));
		text_table_add(table, text_seconds(price.company_ns));
		text_table_add(table, text_seconds(price.ns));
		text_table_add(table, text_graded(text_seconds(price.error_ns), GRADE_SAMPLED,
						  report->is_utf8));
		text_table_add(table, report_place(report, places->rows[i]->a, 0));
	}
	if (table)
		text_table_print(table, report->out, report->width, report->is_utf8);
}

/* ---- waits */

/* CPU time is not known by cause, and so is nothing that is divided by it. */
static bool is_known_by_cause(const struct counter_figure *figure)
{
	bool is_local = counter_figure_is_local(figure);

	for (size_t i = 0; figure->metric && i < figure->metric->steps.count; i++)
		is_local &= figure->metric->steps.rows[i].op != STEP_CPU_SECONDS;
	return is_local;
}

static void print_waits(const struct report *report)
{
	const struct counter_places *places = &report->run->counters.of[COUNTER_CAUSE];
	struct grid grid = {0};
	bool is_any = false;

	for (size_t i = 0; i < places->count; i++)
		is_any |= places->rows[i]->a && places->rows[i]->a != COUNTER_WHOLE;
	if (!is_any)
		return;
	choose_figures(report, &grid, 0, is_known_by_cause);
	grid.columns[grid.column_count++] = (struct text_column){"in waits for", TEXT_FLEXIBLE};
	struct text_table *table = text_table_create(grid.columns, grid.column_count);

	for (size_t i = 0; i < places->count; i++) {
		add_figures(&grid, table, places->rows[i]);
		text_table_add(table, memory_copy_text(report_counter_cause(places->rows[i])));
	}
	print_grid(report, &grid, table);
}

void report_counters_text(const struct report *report)
{
	const struct counters *counters = &report->run->counters;

	if (!counters_are_there(counters)) {
		report_print_wrapped(report, "  ", REPORT_NO_COUNTERS);
		return;
	}
	print_totals(report);
	print_reasons(report);
	if (leading_event(counters) == COUNTER_CPU)
		return;
	print_threads(report);
	print_routines(report);
	print_prices(report);
	print_waits(report);
}
