/* SPDX-License-Identifier: MIT */
/* A report as a page. */
#pragma once

#include "analyze/report/report.h"

/* names: comma-separated sections, NULL for those that the text report has as well. */
void html_report_print(const struct report *report, const char *names);
