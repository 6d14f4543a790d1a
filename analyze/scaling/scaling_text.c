/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/print/text_wrap.h"
#include "analyze/scaling/scaling_laws.h"
#include "analyze/scaling/scaling_losses.h"
#include "analyze/scaling/scaling_print.h"
#include "analyze/scaling/scaling_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_wrapped(const struct scaling_page *page, const char *first, const char *text)
{
	text_wrap(page->out, page->width, page->is_utf8, first, text);
}

static void print_title(const struct scaling_page *page, const char *name, const char *defines)
{
	text_wrap_title(page->out, page->width, false, name, defines);
}

static char *fraction_text(double fraction)
{
	return text_percent(100 * fraction);
}

/* ---- @ scaling */

/* (longest - shortest) / median of its runs */
static char *spread_text(const struct scaling *it, const struct scaling_point *point)
{
	const struct scaling_run *runs = &it->runs[point->first];

	if (point->count < 2)
		return memory_copy_text("");
	return fraction_text((runs[point->count - 1].elapsed_ns - runs[0].elapsed_ns) /
			     it->runs[point->median].elapsed_ns);
}

/* A figure that the first point cannot have is blank there, and not unknown. */
static char *later_text(const struct scaling *it, const struct scaling_point *point, double value)
{
	return point == it->points ? memory_copy_text("") : fraction_text(value);
}

static void add_point(const struct scaling_page *page, struct text_table *table,
		      const struct scaling *it, const struct scaling_point *point)
{
	const struct scaling_run *run = &it->runs[point->median];

	text_table_add(table, memory_copy_text(quantity_plain(point->p).text));
	text_table_add(table, text_count(point->count));
	text_table_add(table, text_seconds(run->elapsed_ns));
	text_table_add(table, spread_text(it, point));
	text_table_add(table, text_number(point->speedup));
	text_table_add(table, fraction_text(point->efficiency));
	text_table_add(table, later_text(it, point, point->serial));
	text_table_add(table, text_graded(fraction_text(run->sequential_ns / run->elapsed_ns),
					  run->sequential_grade, page->is_utf8));
	text_table_add(table, fraction_text(run->parallel));
	text_table_add(table, fraction_text(point->computation));
	text_table_add(table, point == it->points ? memory_copy_text("")
						  : scaling_difference_text(point->lost_ns));
}

static void print_points(const struct scaling_page *page, const struct scaling *it)
{
	const struct text_column columns[] = {
		{"p", TEXT_RIGHT},         {"runs", TEXT_RIGHT},    {"elapsed", TEXT_RIGHT},
		{"spread", TEXT_SPARE},    {"speedup", TEXT_RIGHT}, {"efficiency", TEXT_RIGHT},
		{"serial", TEXT_SPARE},    {"alone", TEXT_SPARE},   {"parallel", TEXT_SPARE},
		{"computing", TEXT_SPARE}, {"lost", TEXT_RIGHT},
	};
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);

	for (size_t i = 0; i < it->count; i++)
		add_point(page, table, it, &it->points[i]);
	text_table_print(table, page->out, page->width, page->is_utf8);
}

static void print_scaling(const struct scaling_page *page, const struct scaling *it)
{
	char *line = scaling_scale_text(it);

	char *defines = memory_print("efficiency = %s, p0 = %s: the smallest p; T: elapsed time",
				     it->is_weak ? "T(p0) / T(p)" : "p0 T(p0) / (p T(p))",
				     quantity_plain(it->points[0].p).text);

	print_title(page, "scaling", defines);
	free(defines);
	print_wrapped(page, "  ", line);
	print_wrapped(page, "  ",
		      it->is_weak
			      ? "serial: Gustafson's share; alone: time with one thread useful; "
				"parallel, computing: POP's"
			      : "serial: Karp and Flatt's share; alone: time with one thread "
				"useful; parallel, computing: POP's");
	print_points(page, it);
	free(line);
}

/* ---- @ laws */

static void print_laws(const struct scaling_page *page, const struct scaling *it)
{
	struct scaling_law laws[SCALING_LAWS];
	size_t count = scaling_laws_of(it, page->is_utf8, laws);

	fputc('\n', page->out);
	print_title(page, "laws",
		    "what the elapsed times follow, and what more threads or ranks could give");
	for (size_t i = 0; i < count; i++) {
		char *first = memory_print("  %-13s", laws[i].name);

		print_wrapped(page, first, laws[i].text);
		free(first);
		free(laws[i].text);
	}
}

/* ---- @ losses */

static char *per_doubling_text(const struct scaling *it, double lost_ns)
{
	double doublings = log2(it->points[it->count - 1].p / it->points[0].p);

	return scaling_difference_text(lost_ns / doublings);
}

static void add_figures(struct text_table *table, const struct scaling *it, double lost_ns,
			double first_ns, double last_ns)
{
	double all_ns = it->points[it->count - 1].lost_ns;

	text_table_add(table, scaling_difference_text(lost_ns));
	text_table_add(table, scaling_share_text(all_ns > 0 ? lost_ns / all_ns : NAN));
	text_table_add(table, per_doubling_text(it, lost_ns));
	text_table_add(table, scaling_difference_text(first_ns));
	text_table_add(table, scaling_difference_text(last_ns));
}

static void add_cause(struct text_table *table, const struct scaling *it,
		      const struct scaling_cause *cause)
{
	size_t last = it->count - 1;

	add_figures(table, it, cause->lost_ns[last], cause->time_ns[0], cause->time_ns[last]);
	text_table_add(table, cause->kind == COST_REST ? memory_copy_text("")
						       : growth_fit_term(&cause->growth));
	text_table_add(table, memory_copy_text(
				      cause->kind == COST_REST ? "" : cost_kind_name(cause->kind)));
	text_table_add(table, scaling_cause_text(cause));
	char *blame = scaling_blame_text(cause);

	if (blame)
		text_table_add_detail(table, blame);
}

static void add_sum(struct text_table *table, const struct scaling *it, const bool *is_shown,
		    char *what)
{
	double lost_ns = 0, first_ns = 0, last_ns = 0;
	size_t last = it->count - 1;

	for (size_t i = 0; i < it->cause_count; i++) {
		if (is_shown && is_shown[i])
			continue;
		lost_ns += it->causes[i].lost_ns[last];
		first_ns += it->causes[i].time_ns[0];
		last_ns += it->causes[i].time_ns[last];
	}
	add_figures(table, it, lost_ns, first_ns, last_ns);
	text_table_add(table, memory_copy_text(""));
	text_table_add(table, memory_copy_text(""));
	text_table_add(table, what);
}

static void print_losses(const struct scaling_page *page, const struct scaling *it)
{
	size_t last = it->count - 1, left_out;
	char *first_title = memory_print("p=%s", quantity_plain(it->points[0].p).text),
	     *last_title = memory_print("p=%s", quantity_plain(it->points[last].p).text);
	const struct text_column columns[] = {
		{"lost", TEXT_RIGHT},      {"share", TEXT_SPARE},    {"a doubling", TEXT_SPARE},
		{first_title, TEXT_RIGHT}, {last_title, TEXT_RIGHT}, {"growth", TEXT_LEFT},
		{"kind", TEXT_LEFT},       {"what", TEXT_FLEXIBLE},
	};
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	bool *is_shown = scaling_choose_causes(it, page->top, &left_out);

	char *defines = memory_print("processor time lost at p = %s: lost = p T(p) - %s, by cause",
				     quantity_plain(it->points[last].p).text,
				     it->is_weak ? "p T(p0)" : "p0 T(p0)");

	fputc('\n', page->out);
	print_title(page, "losses", defines);
	free(defines);
	for (size_t i = 0; i < it->cause_count; i++) {
		if (it->causes[i].kind == COST_REST && left_out)
			add_sum(table, it, is_shown, memory_print("[%zu others]", left_out));
		if (is_shown[i])
			add_cause(table, it, &it->causes[i]);
	}
	add_sum(table, it, NULL, memory_copy_text("[all]"));
	text_table_print(table, page->out, page->width, page->is_utf8);
	free(first_title);
	free(last_title);
	free(is_shown);
}

/* ---- the whole */

void scaling_print_text(const struct scaling_page *page, const struct scaling *it)
{
	size_t notes = page->top && page->top < it->notes.count ? page->top : it->notes.count;
	char *verdict = scaling_verdict_text(it);

	print_wrapped(page, "", verdict);
	fputc('\n', page->out);
	print_scaling(page, it);
	print_laws(page, it);
	print_losses(page, it);
	if (it->notes.count) {
		fputc('\n', page->out);
		print_title(page, "notes", "what to know before believing it");
	}
	for (size_t i = 0; i < notes; i++)
		print_wrapped(page, "  - ", it->notes.texts[i]);
	if (notes < it->notes.count)
		fprintf(page->out, "  ... and %zu more (--top 0 shows all)\n",
			it->notes.count - notes);
	free(verdict);
}
