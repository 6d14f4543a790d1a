/* SPDX-License-Identifier: MIT */
/* Reports as pages. names: comma-separated sections, NULL for those that the text report has as
 * well. */
#pragma once

#include "analyze/report/report.h"
#include "analyze/report/report_runs.h"

void html_report_print(const struct report *report, const char *names);
/* Source lines of several runs side by side. */
void html_runs_print(const struct report_runs *runs, const char *names);
