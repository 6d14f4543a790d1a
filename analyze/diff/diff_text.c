/* SPDX-License-Identifier: MIT */
/* The comparison as text: the headline, what was compared, a table for each section. */
#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/diff/diff.h"
#include "analyze/diff/evidence.h"
#include "analyze/diff/words.h"
#include "analyze/print/output.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/print/text_wrap.h"

#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINES_DEFAULT 100
#define TOP_MIN       3

struct page {
	const struct diff *diff;
	FILE *out;
	size_t top; /* 0: all */
	unsigned width;
	bool is_utf8;
};

static void print_wrapped(const struct page *page, const char *first, const char *text)
{
	text_wrap(page->out, page->width, page->is_utf8, first, text);
}

static void print_side(const struct page *page, size_t side)
{
	const struct side *of = &page->diff->sides[side];

	for (size_t i = 0; i < of->count; i++) {
		const struct side_run *run = &of->runs[i];
		char *elapsed = text_seconds(run->elapsed_ns);
		char *text =
			memory_print("%s: %s, %s%s", run->path, run->conditions[CONDITION_COMMAND],
				     elapsed, run->incomplete ? ", INCOMPLETE (see notes)" : "");

		print_wrapped(page,
			      i      ? "            "
			      : side ? "  B         "
				     : "  A         ",
			      text);
		free(elapsed);
		free(text);
	}
}

static void print_runs(const struct page *page)
{
	const struct diff *diff = page->diff;
	char *noise = diff_noise_text(diff);

	char *defines = memory_print("what was compared; a change counts from %s %% of the figure "
				     "and of A's elapsed time on",
				     quantity_plain(diff->changes.threshold_percent).text);

	text_wrap_title(page->out, page->width, false, "runs", defines);
	free(defines);
	print_side(page, 0);
	print_side(page, 1);
	for (size_t i = 0; i < diff->differences.count; i++)
		print_wrapped(page, i ? "            " : "  differs   ",
			      diff->differences.texts[i]);
	for (size_t i = 0; i < diff->notes.count; i++)
		print_wrapped(page, i ? "            " : "  notes     ", diff->notes.texts[i]);
	print_wrapped(page, "  chance    ", noise);
	free(noise);
}

static void print_evidence(const struct page *page)
{
	size_t count;
	const struct change **rows = evidence_rows(&page->diff->changes, &count);
	size_t shown = page->top && page->top < count ? page->top : count;

	if (count) {
		fputc('\n', page->out);
		text_wrap_title(page->out, page->width, false, diff_evidence.name,
				diff_evidence.definition);
	}
	for (size_t i = 0; i < shown; i++) {
		char *text = evidence_text(rows[i]);

		print_wrapped(page, rows[i]->decides ? "  decides   " : "            ", text);
		free(text);
	}
	if (shown < count)
		fprintf(page->out, "  ... and %zu more (--top 0 shows all)\n", count - shown);
	free(rows);
}

/* ---- tables */

/* In call paths "<" is no bracket; their names have been shortened already. */
static char *name_text(const struct figure *figure)
{
	const char *name = words_name(figure);

	return figure->section == SECTION_PATHS ? memory_copy_text(name)
						: text_without_templates(name);
}

static void add_row(struct text_table *table, const struct change *change)
{
	const struct figure *figure = change->figure;
	bool is_obvious = figure->section == SECTION_OVERVIEW ||
			  figure->section == SECTION_CONCURRENCY ||
			  figure->section == SECTION_STATES || figure->section == SECTION_HOLDERS;

	text_table_add(table, words_effect(change));
	text_table_add(table, words_value(change->sides[0].median, figure->unit));
	text_table_add(table, words_value(change->sides[1].median, figure->unit));
	text_table_add(table, words_change(change));
	text_table_add(table, words_limit(change));
	text_table_add(table, words_verdict(change));
	text_table_add(table, memory_copy_text(is_obvious ? "" : figure->metric));
	text_table_add(table, name_text(figure));
}

static void print_rows(const struct page *page, const struct change *const *rows, size_t count)
{
	static const struct text_column columns[] = {
		{"effect", TEXT_RIGHT}, {"A", TEXT_RIGHT},     {"B", TEXT_RIGHT},
		{"change", TEXT_RIGHT}, {"limit", TEXT_SPARE}, {"verdict", TEXT_LEFT},
		{"figure", TEXT_LEFT},  {"of", TEXT_FLEXIBLE},
	};
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	bool is_cut =
		page->top && rows[0]->figure->section != SECTION_OVERVIEW && page->top < count;
	size_t shown = is_cut ? page->top : count;

	for (size_t i = 0; i < shown; i++)
		add_row(table, rows[i]);
	text_table_print(table, page->out, page->width, page->is_utf8);
	if (shown < count)
		fprintf(page->out, "  ... and %zu more (--top 0 shows all)\n", count - shown);
}

static void print_section(const struct page *page, enum figure_section section)
{
	size_t count;
	const struct change **rows = diff_rows(page->diff, section, page->top, &count);

	if (count) {
		fputc('\n', page->out);
		text_wrap_title(page->out, page->width, false, diff_sections[section].name,
				diff_sections[section].definition);
		print_rows(page, rows, count);
	}
	free(rows);
}

static char *make_text(struct page *page, unsigned *lines)
{
	char *text = NULL;
	size_t bytes;

	page->out = open_memstream(&text, &bytes);
	if (!page->out)
		die("out of memory");
	print_wrapped(page, "", page->diff->headline);
	fputc('\n', page->out);
	print_runs(page);
	print_evidence(page);
	for (enum figure_section section = 0; section < SECTION_COUNT; section++)
		print_section(page, section);
	fclose(page->out);
	*lines = 0;
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		++*lines;
	return text;
}

void diff_print_text(const struct diff *diff, FILE *out)
{
	struct page page = {
		.diff = diff,
		.top = diff->options->top,
		.width = output_columns(out, diff->options->width),
		.is_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
	};
	unsigned lines;
	char *text = make_text(&page, &lines);

	while (!diff->options->is_top_given && lines > LINES_DEFAULT && page.top > TOP_MIN) {
		page.top--;
		free(text);
		text = make_text(&page, &lines);
	}
	fputs(text, out);
	free(text);
}
