/* SPDX-License-Identifier: MIT */
/* The comparison as JUnit XML, which services of continuous integration show as tests: a test case
 * for each metric that decides. It fails if the metric is worse, and is skipped if it is a time
 * that cannot be told, whatever else decides; with --strict, it fails if the verdict is that.
 *
 * Written by hand: a dozen lines of XML are not worth a library. What a text may hold is decided in
 * one place. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/diff/decide.h"
#include "analyze/diff/diff.h"
#include "analyze/diff/evidence.h"
#include "analyze/diff/headline_figure.h"
#include "analyze/diff/metrics.h"
#include "analyze/diff/words.h"
#include "analyze/print/misleading_text.h"
#include "common/utf8.h"

#include <stdlib.h>
#include <string.h>

/* XML 1.0 has no control characters but tabs and line ends, not even as references, and neither
 * U+FFFE nor U+FFFF. Nor is there a name that reads as another one. */
static bool is_character(const char *at, size_t bytes)
{
	if (bytes == 1)
		return (unsigned char)*at >= ' ' || strchr("\t\n\r", *at);
	return bytes && !text_is_misleading(at) && strncmp(at, "\xef\xbf\xbe", 3) != 0 &&
	       strncmp(at, "\xef\xbf\xbf", 3) != 0;
}

static void print_escaped(FILE *out, const char *text)
{
	static const struct {
		char character;
		const char *reference;
	} references[] = {{'&', "&amp;"},  {'<', "&lt;"},  {'>', "&gt;"},   {'"', "&quot;"},
			  {'\'', "&#39;"}, {'\t', "&#9;"}, {'\n', "&#10;"}, {'\r', "&#13;"}};

	for (; *text; text += utf8_step(text)) {
		size_t bytes = utf8_bytes(text), i = 0;

		while (i < sizeof references / sizeof *references &&
		       references[i].character != *text)
			i++;
		if (i < sizeof references / sizeof *references)
			fputs(references[i].reference, out);
		else if (is_character(text, bytes))
			fwrite(text, 1, bytes, out);
		else
			fputs(UTF8_REPLACEMENT, out);
	}
}

static void print_attribute(FILE *out, const char *name, const char *text)
{
	fprintf(out, " %s=\"", name);
	print_escaped(out, text);
	fputc('"', out);
}

/* ---- what a metric is told by */

enum result { RESULT_PASSED, RESULT_FAILED, RESULT_OPEN };

/* The row that says that it is worse; NULL: none does. */
static const struct change *worse_row(const struct changes *changes, enum metric metric)
{
	for (size_t i = 0; i < changes->count; i++)
		if (changes->rows[i].decides && change_decided(&changes->rows[i]) > 0 &&
		    decide_metric(changes, &changes->rows[i]) == metric)
			return &changes->rows[i];
	return NULL;
}

/* NULL: the metric is no time of the run. */
static const struct change *time_of(const struct changes *changes, enum metric metric)
{
	return metric == METRIC_ELAPSED ? changes->elapsed
	       : metric == METRIC_CPU   ? changes->cpu
					: NULL;
}

/* It has changed, but within its noise, or other programs may hide that it has. */
static bool is_open(const struct changes *changes, const struct change *time)
{
	return time->verdict == VERDICT_NOISE ||
	       (time == changes->elapsed && changes->is_undecided);
}

static enum result result_of(const struct diff *diff, enum metric metric)
{
	const struct changes *changes = &diff->changes;
	const struct change *time = time_of(changes, metric);

	if (worse_row(changes, metric))
		return RESULT_FAILED;
	if (!time)
		return RESULT_PASSED;
	if (time == changes_judged(changes) && changes_is_open(changes))
		return diff->options->is_strict ? RESULT_FAILED : RESULT_OPEN;
	return is_open(changes, time) ? RESULT_OPEN : RESULT_PASSED;
}

static size_t count_results(const struct diff *diff, enum result result)
{
	size_t count = 0;

	for (enum metric i = 0; i < METRIC_LIMIT; i++)
		count += (diff->changes.metrics & METRIC_BIT(i)) && result_of(diff, i) == result;
	return count;
}

static char *row_text(const struct change *change)
{
	if (change->evidence)
		return evidence_text(change);
	char *before = words_value(change->sides[0].median, change->figure->unit);
	char *after = words_value(change->sides[1].median, change->figure->unit);
	char *percent = words_change(change);
	char *text = memory_print("%s: %s -> %s (%s)", words_name(change->figure), before, after,
				  percent);

	free(before);
	free(after);
	free(percent);
	return text;
}

/* Why it is open. */
static char *open_text(const struct diff *diff, const struct change *time)
{
	const struct changes *changes = &diff->changes;
	bool is_undecided = time == changes->elapsed && changes->is_undecided;

	if (changes_is_open(changes))
		return memory_copy_text(diff->headline);
	char *figure = headline_figure(time->figure->key, time, true);
	char *text = memory_print("cannot tell: %s%s%s%s", figure,
				  is_undecided ? ", neighbours used " : "",
				  is_undecided ? quantity_number(changes->neighbours).text : "",
				  is_undecided ? " processors" : "");

	free(figure);
	return text;
}

/* ---- elements */

static void print_result(const struct diff *diff, FILE *out, enum metric metric)
{
	const struct change *worse = worse_row(&diff->changes, metric);
	const struct change *time = time_of(&diff->changes, metric);
	char *text = worse  ? row_text(worse)
		     : time ? open_text(diff, time)
			    : memory_copy_text(diff->headline);
	enum result result = result_of(diff, metric);

	if (result == RESULT_PASSED) {
		free(text);
		return;
	}
	fprintf(out, "      <%s", result == RESULT_OPEN ? "skipped" : "failure");
	print_attribute(out, "message", text);
	if (result == RESULT_FAILED) {
		print_attribute(out, "type", worse ? "worse" : "cannot tell");
		fputc('>', out);
		print_escaped(out, diff->headline);
		fputs("</failure>\n", out);
	} else {
		fputs("/>\n", out);
	}
	free(text);
}

static void print_case(const struct diff *diff, FILE *out, enum metric metric)
{
	fputs("    <testcase", out);
	print_attribute(out, "classname", "ptrace-diff");
	print_attribute(out, "name", metrics_name(metric));
	fputs(" time=\"0\">\n", out);
	print_result(diff, out, metric);
	fputs("    </testcase>\n", out);
}

static void print_property(FILE *out, const char *name, const char *value)
{
	fputs("      <property", out);
	print_attribute(out, "name", name);
	print_attribute(out, "value", value ? value : "");
	fputs("/>\n", out);
}

static void print_properties(const struct diff *diff, FILE *out)
{
	fputs("    <properties>\n", out);
	print_property(out, "threshold_percent",
		       quantity_plain(diff->changes.threshold_percent).text);
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < diff->sides[side].count; i++) {
			const struct side_run *run = &diff->sides[side].runs[i];

			print_property(out, side ? "b" : "a", run->path);
			print_property(out, side ? "b command" : "a command",
				       run->conditions[CONDITION_COMMAND]);
		}
	fputs("    </properties>\n", out);
}

static void print_suite(const struct diff *diff, FILE *out, const char *element)
{
	size_t failed = count_results(diff, RESULT_FAILED), open = count_results(diff, RESULT_OPEN);
	size_t tests = failed + open + count_results(diff, RESULT_PASSED);

	fprintf(out,
		"<%s name=\"ptrace-diff\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
		"skipped=\"%zu\">\n",
		element, tests, failed, open);
}

void diff_print_junit(const struct diff *diff, FILE *out)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
	print_suite(diff, out, "testsuites");
	fputs("  ", out);
	print_suite(diff, out, "testsuite");
	print_properties(diff, out);
	for (enum metric i = 0; i < METRIC_LIMIT; i++)
		if (diff->changes.metrics & METRIC_BIT(i))
			print_case(diff, out, i);
	fputs("    <system-out>", out);
	print_escaped(out, diff->headline);
	fputs("</system-out>\n  </testsuite>\n</testsuites>\n", out);
}
