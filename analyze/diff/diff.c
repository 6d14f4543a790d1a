/* SPDX-License-Identifier: MIT */
#include "analyze/diff/diff.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/base/progress.h"
#include "analyze/diff/compare.h"
#include "analyze/diff/headline.h"
#include "analyze/diff/metrics.h"
#include "analyze/print/output.h"
#include "analyze/print/text_format.h"
#include "analyze/symbols/symbolize.h"

#include <stdlib.h>
#include <string.h>

/* ---- the same run twice */

static bool is_same_path(const char *a, const char *b)
{
	char *left = realpath(a, NULL), *right = realpath(b, NULL);
	bool is_same = left && right && !strcmp(left, right);

	free(left);
	free(right);
	return is_same;
}

static size_t times_before(const struct diff *diff, size_t side, size_t run)
{
	const char *path = diff->sides[side].runs[run].path;
	size_t times = 0;

	for (size_t i = 0; i <= side; i++)
		for (size_t j = 0; j < (i < side ? diff->sides[i].count : run); j++)
			times += is_same_path(diff->sides[i].runs[j].path, path);
	return times;
}

static void note_same_runs(struct diff *diff)
{
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < diff->sides[side].count; i++) {
			const char *path = diff->sides[side].runs[i].path;

			if (!times_before(diff, side, i))
				continue;
			text_list_add(&diff->notes, "%s is given more than once", path);
			warn_line("%s is given more than once: that run counts double, and the "
				  "spread looks smaller than it is",
				  path);
		}
}

/* ---- what must be said beside the figures */

static void note_programs(struct diff *diff)
{
	char *text = side_difference(diff->sides, CONDITION_PROGRAM);

	if (!text)
		return;
	warn_line("%s: routines and objects are compared by name", text);
	text_list_add(&diff->notes, "%s: routines and objects are compared by name", text);
	free(text);
}

static void note_incomplete(struct diff *diff)
{
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < diff->sides[side].count; i++) {
			const struct side_run *run = &diff->sides[side].runs[i];

			if (!run->incomplete)
				continue;
			warn_line("%s is incomplete: %s", run->path, run->incomplete);
			text_list_add(&diff->notes, "%s is incomplete: %s", run->path,
				      run->incomplete);
		}
}

/* A program that was rebuilt in the same place has taken the names of earlier runs with it. */
static void note_nameless(struct diff *diff)
{
	for (size_t side = 0; side < 2; side++) {
		struct text_list *notes = &diff->notes;
		size_t before = notes->count;

		for (size_t i = 0; i < diff->sides[side].count; i++)
			for (size_t j = 0; j < diff->sides[side].runs[i].nameless.count; j++)
				text_list_add(notes,
					      "%s: %s; what it has no names for matches nothing. "
					      "Runs that were merged (ptrace-merge) keep names, "
					      "--symbols finds the old file",
					      side ? "B" : "A",
					      diff->sides[side].runs[i].nameless.texts[j]);
		for (size_t i = before; i < notes->count; i++)
			warn_line("%s", notes->texts[i]);
	}
}

static void find_differences(struct diff *diff)
{
	for (enum condition i = CONDITION_PROGRAM; i < CONDITION_COUNT; i++) {
		/* The command contains the program. */
		char *text = i == CONDITION_PROGRAM ? NULL : side_difference(diff->sides, i);

		if (text)
			text_list_add(&diff->differences, "%s", text);
		free(text);
	}
}

/* ---- the whole */

#define STATUS_CANNOT_TELL 4 /* with --strict */

/* What was asked for has to be there: nobody would notice that it never fails. */
static void check_metrics(const struct diff *diff)
{
	const struct change *row =
		changes_find(&diff->changes, SECTION_COUNTERS, "the run", "instructions");

	if (!(diff->options->metrics & METRIC_BIT(METRIC_INSTRUCTIONS)))
		return;
	if (!row || !row->sides[0].known || !row->sides[1].known)
		die("--metric instructions: %s did not count them: record with "
		    "ptrace-run --events instructions",
		    row && row->sides[0].known   ? "the runs of B"
		    : row && row->sides[1].known ? "the runs of A"
						 : "these runs");
}

static void print(const struct diff *diff)
{
	static void (*const prints[])(const struct diff *diff, FILE *out) = {
		[DIFF_TEXT] = diff_print_text,   [DIFF_JSON] = diff_print_json,
		[DIFF_HTML] = diff_print_html,   [DIFF_MARKDOWN] = diff_print_markdown,
		[DIFF_JUNIT] = diff_print_junit,
	};
	FILE *out = output_open(diff->options->output);

	prints[diff->options->format](diff, out);
	output_close(out, diff->options->output);
}

void diff_compare(struct diff *diff)
{
	note_programs(diff);
	note_nameless(diff);
	note_incomplete(diff);
	note_same_runs(diff);
	find_differences(diff);
	diff->changes = changes_of_metrics(diff->sides, diff->options->threshold_percent,
					   diff->options->metrics);
	check_metrics(diff);
	diff->headline = headline_text(&diff->changes, diff->sides);
	diff->status = diff->options->is_strict && changes_is_open(&diff->changes)
			       ? STATUS_CANNOT_TELL
			       : changes_status(&diff->changes);
}

void diff_clear(struct diff *diff)
{
	free(diff->headline);
	changes_clear(&diff->changes);
	text_list_clear(&diff->differences);
	text_list_clear(&diff->notes);
	for (size_t side = 0; side < 2; side++)
		side_clear(&diff->sides[side]);
}

int diff_finish(struct diff *diff)
{
	diff_compare(diff);
	print(diff);
	diff_clear(diff);
	return diff->status;
}

int diff_run(const struct diff_options *options)
{
	struct symbolizer *symbolizer = symbolizer_create(options->symbols);
	struct diff diff = {.options = options};

	for (size_t side = 0; side < 2; side++)
		diff.sides[side] = side_read(options->runs[side], options->run_count[side],
					     symbolizer, options->per);
	symbolizer_destroy(symbolizer);
	progress_erase();
	return diff_finish(&diff);
}
