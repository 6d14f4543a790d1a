/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN "          "

static const struct {
	const char *one, *several;
} levels[] = {
#define LEVEL_TEXT(name, text, plural) {text, plural},
	FINDING_LEVEL_LIST(LEVEL_TEXT)
#undef LEVEL_TEXT
};

/* ---- text */

/* "routine f (x.c:12) 99 %", or "spread over 8 threads, 14 % at most". If only one counts and it
 * does not have most of the loss, there are many that have too little to count. */
static char *step_text(const struct finding_step *step)
{
	char *share = text_percent(step->share_percent);
	char *text;

	if (step->is_single)
		text = memory_print("%s %s %s", levels[step->level].one, step->name, share);
	else if (step->among > 1)
		text = memory_print("spread over %zu %s, %s at most", step->among,
				    levels[step->level].several, share);
	else
		text = memory_print("spread over many %s, %s at most", levels[step->level].several,
				    share);
	free(share);
	return text;
}

/* One that has most of it, and that the evidence does not name: this names routines and objects. */
static bool is_news(const struct finding_step *step)
{
	return step->is_single && (step->level == FINDING_PROCESS || step->level == FINDING_RANK ||
				   step->level == FINDING_THREAD || step->level == FINDING_REGION);
}

static void print_where(const struct report *report, const struct finding *finding)
{
	char *text = memory_copy_text("where: ");
	size_t count = 0;

	for (size_t i = 0; i < finding->step_count; i++) {
		if (!report->is_explained && !is_news(&finding->steps[i]))
			continue;
		char *step = step_text(&finding->steps[i]);
		char *longer = memory_print("%s%s%s", text, count++ ? "; " : "", step);

		free(text);
		free(step);
		text = longer;
	}
	if (count)
		report_print_wrapped(report, MARGIN, text);
	free(text);
}

/* "37 %" of the elapsed time; nothing is lost by a caveat. */
static char *share_text(const struct report *report, const struct finding *finding)
{
	if (finding->kind == FINDING_CAVEAT)
		return memory_copy_text("note");
	return text_graded(text_percent(finding->elapsed_percent), finding->grade, report->is_utf8);
}

/* " (up to 420 ms of 1.20 s elapsed)" */
static char *stake_text(const struct report *report, const struct finding *finding)
{
	if (!(finding->elapsed_ns > 0))
		return memory_copy_text("");
	char *stake = text_seconds(finding->elapsed_ns);
	char *elapsed = text_seconds((double)report->run->elapsed_ns);
	char *text = memory_print(" (up to %s of %s elapsed)", stake, elapsed);

	free(stake);
	free(elapsed);
	return text;
}

static void print_finding(const struct report *report, const struct finding *finding)
{
	char *share = share_text(report, finding);
	char *stake = report->is_explained ? stake_text(report, finding) : memory_copy_text("");
	char *padding = memory_print(
		"%*s", text_columns(share) < 6 ? (int)(6 - text_columns(share)) : 0, "");
	char *first = memory_print("  %s%s  ", padding, share);
	const char *kind = finding->kind == FINDING_SYMPTOM ? "symptom: " : "";
	char *text = memory_print("%s%s%s: %s.", kind, finding->title, stake, finding->evidence);

	report_print_wrapped(report, first, text);
	print_where(report, finding);
	report_print_wrapped(report, MARGIN, finding->advice);
	free(share);
	free(stake);
	free(padding);
	free(first);
	free(text);
}

/* Findings are about waiting, but for those that counters make. */
static bool is_spending_known(const struct run *run)
{
	return run->counters.metric_count > 0;
}

#define UNKNOWN_SPENDING                                                                           \
	"whether the CPU time is well spent (caches, false sharing) was not measured"

static const char *nothing_to_wait_for(const struct run *run)
{
	return is_spending_known(run) ? "nothing: there is no waiting to remove"
				      : "nothing: there is no waiting to remove; " UNKNOWN_SPENDING;
}

const char *report_nothing_to_fix(const struct report *report)
{
	const struct run *run = report->run;

	if (findings_first(&report->findings))
		return NULL;
	if (!isfinite(run->efficiency_percent))
		return "too little was measured to tell";
	return run->efficiency_percent >= 100 * finding_limits.no_waiting
		       ? nothing_to_wait_for(run)
		       : "nothing: no cause of lost processor time is above its threshold";
}

void report_findings_text(const struct report *report)
{
	const char *nothing = report_nothing_to_fix(report);

	if (nothing)
		report_print_wrapped(report, "  ", nothing);
	for (size_t i = 0; i < report->findings.count; i++) /* never cut: tables are */
		print_finding(report, &report->findings.rows[i]);
	if (!is_spending_known(report->run) && !(nothing && strstr(nothing, UNKNOWN_SPENDING)))
		report_print_wrapped(report, "  ", UNKNOWN_SPENDING);
}

/* ---- JSON */

static const struct routine *routine_of(const struct report *report,
					const struct finding_step *step)
{
	static const struct routine none;

	return step->has_place ? names_routine(report->run->names, step->routine) : &none;
}

#define ROW       const struct finding_step
#define ROW_NAME  finding_steps
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

/* The steps that have most of it, or those at which refinement ended. */
static struct json_object *steps_json(const struct report *report, const struct finding *finding,
				      bool is_single)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < finding->step_count; i++)
		if (finding->steps[i].is_single == is_single)
			json_object_array_add(
				list, row_json(report, &finding_steps_fields, &finding->steps[i]));
	return list;
}

#define ROW      const struct finding
#define ROW_NAME findings
#include "analyze/report/define_fields.h"

struct json_object *report_findings_json(const struct report *report)
{
	return rows_json(report, &findings_fields, report->findings.rows, report->findings.count,
			 sizeof *report->findings.rows);
}
