/* SPDX-License-Identifier: MIT */
/* Source lines of several runs side by side, as a page. */
#pragma once

#include "analyze/report/report_runs.h"

void html_runs_print(const struct report_runs *runs, const char *names);
