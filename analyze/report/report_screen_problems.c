/* SPDX-License-Identifier: MIT */
/* What to do first, and what makes the figures weak: findings, shortened. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_screen.h"

#include <stdlib.h>

#define PROBLEMS_MOST 3
#define INDENT        "    "
#define DEEP_INDENT   "      "
/* From this share of the CPU time on the profiler's own cost is worth a word. */
#define OVERHEAD_PERCENT 10

/* ---- careful */

/* Appends a part of the sentence; takes ownership of it. */
static char *with_part(char *text, char *part)
{
	char *longer = memory_print("%s%s%s", text, *text ? "; " : "", part);

	free(text);
	free(part);
	return longer;
}

char *report_screen_care(const struct report *report)
{
	const struct run *run = report->run;
	char *text = memory_copy_text("");

	if (!run->is_complete)
		text = with_part(text, memory_copy_text("the run is INCOMPLETE (see notes)"));
	for (size_t i = 0; i < report->findings.count; i++) {
		const struct finding *finding = &report->findings.rows[i];

		if (finding->kind == FINDING_ENVIRONMENT)
			text = with_part(
				text,
				memory_print("%s (%s): take shares, not times", finding->title,
					     quantity_percent(finding->elapsed_percent).text));
		else if (finding->kind == FINDING_CAVEAT)
			text = with_part(text, memory_copy_text(finding->title));
	}
	if (run->overhead_percent >= OVERHEAD_PERCENT)
		text = with_part(text, memory_print("the profiler took ~%s of the CPU time",
						    quantity_percent(run->overhead_percent).text));
	return text;
}

/* ---- do first */

/* "    1 title", and what is at stake at the right end of the line. */
static void print_title(const struct report *report, const struct finding *finding, unsigned number)
{
	char *stake = text_graded(text_percent(finding->elapsed_percent), finding->grade,
				  report->is_utf8);
	char *whole =
		memory_print(INDENT "%u %s%s", number,
			     finding->kind == FINDING_SYMPTOM ? "symptom: " : "", finding->title);
	unsigned room = report->width - text_columns(stake) - 1; /* no width is so small */
	char *title = text_fit(whole, room, report->is_utf8);

	fprintf(report->out, "%s%*s%s\n", title, (int)(room + 1 - text_columns(title)), "", stake);
	free(stake);
	free(whole);
	free(title);
}

static void print_line(const struct report *report, const char *text)
{
	unsigned indent = text_columns(DEEP_INDENT);
	char *fitted = text_fit(text, report->width > indent ? report->width - indent : 1,
				report->is_utf8);

	fprintf(report->out, DEEP_INDENT "%s\n", fitted);
	free(fitted);
}

static void print_problem(const struct report *report, const struct finding *finding,
			  unsigned number, enum screen_detail detail)
{
	print_title(report, finding, number);
	if (number > 1 && detail == SCREEN_EVIDENCE)
		print_line(report, finding->evidence);
	if (number > 1)
		return;
	char *evidence = memory_print("%s.", finding->evidence);

	report_print_wrapped(report, DEEP_INDENT, evidence);
	report_print_wrapped(report, DEEP_INDENT, finding->advice);
	free(evidence);
}

static void print_head(const struct report *report)
{
	static const char name[] = "  do first", means[] = "at most, of the elapsed time";
	unsigned taken = sizeof name + sizeof means - 2;

	fprintf(report->out, "%s%*s%s\n", name,
		report->width > taken ? (int)(report->width - taken) : 1, "", means);
}

/* There are findings, but none on the program itself. */
static const char *nothing_beside(const struct report *report)
{
	return finding_is_shared_with_others(report->run)
		       ? "nothing of the program that shows beside other programs"
		       : "nothing in the program";
}

void report_screen_problems(const struct report *report, enum screen_detail detail)
{
	const char *nothing = report_nothing_to_fix(report);
	unsigned count = 0, most = detail == SCREEN_FIRST ? 1 : PROBLEMS_MOST;

	for (size_t i = 0; i < report->findings.count && count < most; i++) {
		const struct finding *finding = &report->findings.rows[i];

		if (finding->kind != FINDING_PROBLEM && finding->kind != FINDING_SYMPTOM)
			continue;
		if (!count)
			print_head(report);
		print_problem(report, finding, ++count, detail);
	}
	if (!count)
		report_fact_print(report, "do first", nothing ? nothing : nothing_beside(report),
				  REPORT_SCREEN_COLUMNS);
}
