/* SPDX-License-Identifier: MIT */
/* The comparison in Markdown (CommonMark, and the tables of GitHub and GitLab): the first line, a
 * table of the run and of what counts, the evidence, and the runs, folded away. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/diff/diff.h"
#include "analyze/diff/evidence.h"
#include "analyze/diff/words.h"
#include "analyze/print/misleading_text.h"
#include "analyze/print/text_format.h"
#include "common/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All characters that mean something in a line of a paragraph or a table. A text that begins a line
 * follows other characters, so that what begins a list or a heading means nothing; and > means
 * something only there, or after a <. So the arrow stays as it is. */
static void print_character(FILE *out, const char *at, char before)
{
	size_t bytes = utf8_bytes(at);

	if (!bytes || text_is_misleading(at))
		fputs(UTF8_REPLACEMENT, out);
	else if (bytes == 1 && ((unsigned char)*at < ' ' || *at == 0x7f))
		fputc(' ', out);
	else if (bytes == 1 && strchr("\\`*_[]<>|&~$", *at) && (*at != '>' || before != '-'))
		fprintf(out, "\\%c", *at);
	else
		fwrite(at, 1, bytes, out);
}

static void print_escaped(FILE *out, const char *text)
{
	char before = ' ';

	for (; *text; before = *text, text += utf8_step(text))
		print_character(out, text, before);
}

static void print_cell(FILE *out, char *text)
{
	fputs(" ", out);
	print_escaped(out, text);
	fputs(" |", out);
	free(text);
}

/* ---- the table */

static char *name_text(const struct figure *figure)
{
	char *name = text_without_templates(words_name(figure));
	bool is_plain = figure->section == SECTION_OVERVIEW;
	char *text = memory_print("%s%s%s", is_plain ? "" : figure->metric, is_plain ? "" : " of ",
				  name);

	free(name);
	return text;
}

static void print_row(FILE *out, const struct change *change)
{
	fputs("|", out);
	print_cell(out, name_text(change->figure));
	print_cell(out, words_value(change->sides[0].median, change->figure->unit));
	print_cell(out, words_value(change->sides[1].median, change->figure->unit));
	print_cell(out, words_change(change));
	print_cell(out, words_limit(change));
	print_cell(out, words_effect(change));
	print_cell(out, words_verdict(change));
	fputs("\n", out);
}

static int compare_effects(const void *left, const void *right)
{
	const struct change *a = *(const struct change *const *)left;
	const struct change *b = *(const struct change *const *)right;

	if (fabs(a->effect_ns) != fabs(b->effect_ns))
		return fabs(a->effect_ns) > fabs(b->effect_ns) ? -1 : 1;
	return (a > b) - (a < b);
}

/* Those that name a place in the program; others say the same in another way. */
static bool is_shown(const struct change *change)
{
	switch (change->figure->section) {
	case SECTION_ROUTINES:
	case SECTION_WAITS:
	case SECTION_MPI:
	case SECTION_OPENMP:
		return change->counts;
	default:
		return false;
	}
}

/* The largest effect first. */
static const struct change **counting_rows(const struct diff *diff, size_t *count)
{
	const struct changes *changes = &diff->changes;
	const struct change **rows = memory_allocate(changes->count + 1, sizeof *rows);

	*count = 0;
	for (size_t i = 0; i < changes->count; i++)
		if (is_shown(&changes->rows[i]))
			rows[(*count)++] = &changes->rows[i];
	qsort(rows, *count, sizeof *rows, compare_effects);
	return rows;
}

static void print_table(const struct diff *diff, FILE *out)
{
	size_t count, shown;
	const struct change **rows = counting_rows(diff, &count);

	fputs("| figure | A | B | change | limit | effect | verdict |\n"
	      "|---|---:|---:|---:|---:|---:|---|\n",
	      out);
	for (size_t i = 0; i < diff->changes.count; i++)
		if (diff->changes.rows[i].figure->section == SECTION_OVERVIEW)
			print_row(out, &diff->changes.rows[i]);
	shown = diff->options->top && diff->options->top < count ? diff->options->top : count;
	for (size_t i = 0; i < shown; i++)
		print_row(out, rows[i]);
	if (shown < count)
		fprintf(out, "\n%zu more rows count; `--top 0` shows all.\n", count - shown);
	free(rows);
}

/* ---- the rest */

static void print_evidence(const struct diff *diff, FILE *out)
{
	size_t count;
	const struct change **rows = evidence_rows(&diff->changes, &count);
	size_t top = diff->options->top, shown = top && top < count ? top : count;

	if (count)
		fprintf(out, "\nEvidence, %s:\n\n", diff_evidence.definition);
	for (size_t i = 0; i < shown; i++) {
		char *text = evidence_text(rows[i]);

		fputs(rows[i]->decides ? "- decides: " : "- ", out);
		print_escaped(out, text);
		fputs("\n", out);
		free(text);
	}
	if (shown < count)
		fprintf(out, "- ... and %zu more\n", count - shown);
	free(rows);
}

static void print_item(FILE *out, const char *text)
{
	fputs("- ", out);
	print_escaped(out, text);
	fputs("\n", out);
}

static void print_run(FILE *out, char side, const struct side_run *run)
{
	char *elapsed = text_seconds(run->elapsed_ns);
	char *text = memory_print("%c: %s: %s, %s%s", side, run->path,
				  run->conditions[CONDITION_COMMAND], elapsed,
				  run->incomplete ? ", INCOMPLETE" : "");

	print_item(out, text);
	free(elapsed);
	free(text);
}

static void print_runs(const struct diff *diff, FILE *out)
{
	char *noise = diff_noise_text(diff);

	fprintf(out,
		"\n<details><summary>%zu against %zu runs; a change counts from %s %% on</summary>\n\n",
		diff->sides[0].count, diff->sides[1].count,
		quantity_plain(diff->changes.threshold_percent).text);
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < diff->sides[side].count; i++)
			print_run(out, side ? 'B' : 'A', &diff->sides[side].runs[i]);
	for (size_t i = 0; i < diff->differences.count; i++)
		print_item(out, diff->differences.texts[i]);
	for (size_t i = 0; i < diff->notes.count; i++)
		print_item(out, diff->notes.texts[i]);
	print_item(out, noise);
	fputs("\n</details>\n", out);
	free(noise);
}

void diff_print_markdown(const struct diff *diff, FILE *out)
{
	fputs("**", out);
	print_escaped(out, diff->headline);
	fputs("**\n\n", out);
	print_table(diff, out);
	print_evidence(diff, out);
	print_runs(diff, out);
}
