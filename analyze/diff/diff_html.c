/* SPDX-License-Identifier: MIT */
/* The comparison as a page: the sections of the text, with all rows that say something, a bar for
 * each effect, and the values of every run as tooltips. */
#include "analyze/base/memory.h"
#include "analyze/diff/diff.h"
#include "analyze/diff/evidence.h"
#include "analyze/diff/words.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_table.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>

static const struct html_link runs_link = {"runs", "Runs"};

/* ---- cells */

static char *exact_text(double value)
{
	return isfinite(value) ? memory_print("%.9g", value) : memory_copy_text("");
}

/* "1.21 s, 1.19 s, 1.25 s" */
static char *values_text(const struct change *change, size_t side, size_t runs)
{
	char *text = memory_copy_text("");

	for (size_t i = 0; i < runs; i++) {
		char *value = words_value(change->sides[side].values[i], change->figure->unit);
		char *longer = memory_print("%s%s%s", text, i ? ", " : "", value);

		free(value);
		free(text);
		text = longer;
	}
	return text;
}

static void add_side(struct html_table *table, const struct diff *diff, const struct change *change,
		     size_t side)
{
	double median = change->sides[side].median;

	html_table_add(table, words_value(median, change->figure->unit));
	html_table_set_value(table, exact_text(median));
	html_table_set_title(table, values_text(change, side, diff->sides[side].count));
}

static void add_verdict(struct html_table *table, const struct change *change)
{
	int direction = change->counts ? change_direction(change) : 0;

	html_table_add(table, words_verdict(change));
	if (direction)
		html_table_set_class(table, direction > 0 ? "bad" : "good");
}

static void add_row(struct html_table *table, const struct diff *diff, const struct change *change,
		    double most_ns)
{
	const struct figure *figure = change->figure;

	html_table_add(table, memory_copy_text(words_name(figure)));
	html_table_add(table, memory_copy_text(figure->metric));
	html_table_add(table, words_effect(change));
	if (isfinite(change->effect_ns)) {
		html_table_set_value(table, exact_text(change->effect_ns / 1e9));
		html_table_set_share(table, most_ns > 0 ? fabs(change->effect_ns) / most_ns : 0);
	}
	add_side(table, diff, change, 0);
	add_side(table, diff, change, 1);
	html_table_add(table, words_change(change));
	html_table_set_value(table, exact_text(change->change_percent));
	html_table_add(table, words_limit(change));
	add_verdict(table, change);
}

/* ---- sections */

static void print_rows(const struct diff *diff, FILE *out, const struct change *const *rows,
		       size_t count)
{
	static const struct html_column columns[] = {
		{"what", HTML_LEFT},   {"figure", HTML_LEFT},  {"effect", HTML_RIGHT},
		{"A", HTML_RIGHT},     {"B", HTML_RIGHT},      {"change", HTML_RIGHT},
		{"limit", HTML_RIGHT}, {"verdict", HTML_LEFT},
	};
	struct html_table *table = html_table_create("The largest effect first", columns,
						     sizeof columns / sizeof *columns);
	double most_ns = 0;

	for (size_t i = 0; i < count; i++)
		if (isfinite(rows[i]->effect_ns))
			most_ns = fmax(most_ns, fabs(rows[i]->effect_ns));
	for (size_t i = 0; i < count; i++)
		add_row(table, diff, rows[i], most_ns);
	html_table_print(table, out);
}

static void print_section(const struct diff *diff, FILE *out, enum figure_section section)
{
	const struct html_link link = {diff_sections[section].name, diff_sections[section].title};
	size_t count, shown;
	const struct change **rows = diff_rows(diff, section, diff->options->top, &count);

	if (count) {
		bool is_cut = diff->options->top && diff->options->is_top_given &&
			      section != SECTION_OVERVIEW && diff->options->top < count;

		shown = is_cut ? diff->options->top : count;
		html_section_begin(out, &link, diff_sections[section].definition, NULL);
		print_rows(diff, out, rows, shown);
		html_more(out, count - shown);
		html_section_end(out);
	}
	free(rows);
}

static void print_texts(FILE *out, const struct text_list *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		html_element(out, "p", NULL, texts->texts[i]);
}

static void print_runs(const struct diff *diff, FILE *out)
{
	static const struct html_column columns[] = {
		{"side", HTML_LEFT},    {"run", HTML_LEFT},      {"command", HTML_LEFT},
		{"started", HTML_LEFT}, {"elapsed", HTML_RIGHT}, {"incomplete", HTML_LEFT},
	};
	struct html_table *table =
		html_table_create("What was compared", columns, sizeof columns / sizeof *columns);
	char *noise = diff_noise_text(diff);

	html_section_begin(out, &runs_link, "what was compared, and what differs between the sides",
			   NULL);
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < diff->sides[side].count; i++) {
			const struct side_run *run = &diff->sides[side].runs[i];
			const char *command = run->conditions[CONDITION_COMMAND];

			html_table_add(table, memory_copy_text(side ? "B" : "A"));
			html_table_add(table, memory_copy_text(run->path));
			html_table_add(table, memory_copy_text(command));
			html_table_add(table, memory_copy_text(run->start));
			html_table_add(table, text_seconds(run->elapsed_ns));
			html_table_set_value(table, exact_text(run->elapsed_ns / 1e9));
			html_table_add(table,
				       memory_copy_text(run->incomplete ? run->incomplete : ""));
		}
	html_table_print(table, out);
	print_texts(out, &diff->differences);
	print_texts(out, &diff->notes);
	html_element(out, "p", NULL, noise);
	html_section_end(out);
	free(noise);
}

static void print_evidence(const struct diff *diff, FILE *out)
{
	static const struct html_column columns[] = {{"evidence", HTML_LEFT},
						     {"decides", HTML_LEFT}};
	const struct html_link link = {diff_evidence.name, diff_evidence.title};
	size_t count;
	const struct change **rows = evidence_rows(&diff->changes, &count);

	if (count) {
		struct html_table *table = html_table_create("What decides first", columns,
							     sizeof columns / sizeof *columns);

		for (size_t i = 0; i < count; i++) {
			html_table_add(table, evidence_text(rows[i]));
			html_table_add(table, memory_copy_text(rows[i]->decides ? "yes" : ""));
		}
		html_section_begin(out, &link, diff_evidence.definition, NULL);
		html_table_print(table, out);
		html_section_end(out);
	}
	free(rows);
}

/* ---- the page */

static size_t find_links(const struct diff *diff, struct html_link links[SECTION_COUNT + 2])
{
	size_t count = 0, evidence;

	links[count++] = runs_link;
	free(evidence_rows(&diff->changes, &evidence));
	if (evidence)
		links[count++] = (struct html_link){diff_evidence.name, diff_evidence.title};
	for (enum figure_section section = 0; section < SECTION_COUNT; section++) {
		size_t rows;

		free(diff_rows(diff, section, diff->options->top, &rows));
		if (rows)
			links[count++] = (struct html_link){diff_sections[section].name,
							    diff_sections[section].title};
	}
	return count;
}

void diff_print_html(const struct diff *diff, FILE *out)
{
	struct html_link links[SECTION_COUNT + 2];
	const struct html_page page = {
		.title = "What changed",
		.summary = diff->headline,
		.program = "ptrace-diff " PTRACE_VERSION,
		.links = links,
		.link_count = find_links(diff, links),
	};

	html_page_begin(out, &page);
	print_runs(diff, out);
	print_evidence(diff, out);
	for (enum figure_section section = 0; section < SECTION_COUNT; section++)
		print_section(diff, out, section);
	html_page_end(out, &page);
}
