/* SPDX-License-Identifier: MIT */
/* The figures computed from T_i, in the two groups in which text and pages show them: while
 * executing, and of elapsed time. A single list, so that both show the same. */
#pragma once

#include "analyze/model/concurrency/efficiency.h"

#define REPORT_EFFICIENCY_GROUPS  2
#define REPORT_EFFICIENCY_FIGURES 6

struct report_efficiency_figure {
	const char *title;
	double (*value)(const struct efficiency *efficiency);
	char *(*format)(double value);
};

struct report_efficiency_group {
	const char *title;
	struct report_efficiency_figure figures[REPORT_EFFICIENCY_FIGURES];
};

extern const struct report_efficiency_group report_efficiency_groups[REPORT_EFFICIENCY_GROUPS];
