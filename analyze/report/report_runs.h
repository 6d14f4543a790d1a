/* SPDX-License-Identifier: MIT */
/* Several runs side by side: the sections lines and source, with a column of figures for each run.
 *
 * Where the source of a file does not fit one of the runs (it was changed since), that is said, and
 * the figures of that run have a question mark. A line without figures in a run has zeros there. */
#pragma once

#include "analyze/model/lines/source_listing.h"
#include "analyze/model/lines/united_lines.h"
#include "analyze/report/report.h"
#include "analyze/report/report_lines.h"

#include <json-c/json.h>

enum { REPORT_RUNS_MOST = LINE_EVENTS_RUNS };

struct report_runs {
	const struct report *report; /* what all sections are given; its run is not looked at */
	const struct united_lines *united;
	struct source_texts *const *texts; /* of each run, and of all */
	const struct source_query *query;
};

/* NULL, or why the names (comma-separated sections) do not fit several runs. */
const char *report_runs_problem(const char *names);

void report_runs_text(const struct report_runs *runs, const char *names);
/* is_keyed: the figures of the runs are an object with the keys "1", "2", .. instead of a list. */
struct json_object *report_runs_json(const struct report_runs *runs, const char *names,
				     bool is_keyed);
void report_runs_csv(const struct report_runs *runs, const char *names);

/* ---- for the forms */

/* Why a file may not be the one that a run was compiled from; NULL: it fits, or was not found. */
const char *report_runs_misfit(const struct report_runs *runs, const char *file, size_t run);
struct line_totals report_runs_totals(const struct report_runs *runs, size_t run);
