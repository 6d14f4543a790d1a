/* SPDX-License-Identifier: MIT */
/* A list of runs as text, JSON and CSV. Context: pure but for `out`. */
#pragma once

#include "analyze/model/run/run_sketch.h"
#include "analyze/report/report.h"

struct report_listed {
	char *directory;
	struct run_sketch sketch; /* empty, if nothing could be read */
	char *problem;            /* why not, or what is damaged; NULL: nothing is */
	uint64_t changed_ns;      /* CLOCK_REALTIME: of the directory, where no start is known */
};

/* Sorts them, the newest first. */
void report_list_sort(struct report_listed *runs, size_t count);
/* report: out, top, width, is_utf8. */
void report_list_text(const struct report *report, const struct report_listed *runs, size_t count);
void report_list_json(const struct report *report, const struct report_listed *runs, size_t count);
void report_list_csv(const struct report *report, const struct report_listed *runs, size_t count);
