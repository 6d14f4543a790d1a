/* SPDX-License-Identifier: MIT */
/* A report within a named part of the run (--within): which of its sections can be restricted to
 * what carries the part's mark, and what they cannot tell of it. Context: pure but for `out`. */
#pragma once

#include "analyze/report/report.h"

/* What a section lacks; NULL: it cannot be restricted. */
const char *report_within_lacks(const char *section);
/* "threads, synchronization, ... and findings"; released by the caller. */
char *report_within_possible(void);
/* Those that a report has if none are named; released by the caller. */
char *report_within_names(const struct run *run);
/* Does a finding follow from what can be restricted? */
bool report_within_is_found(const char *finding);
/* One line below the title of a section. */
void report_within_print(const struct report *report, const char *section);
/* {"section": "solve", "lacks": {"threads": "..."}}: of the sections that are named. */
struct json_object *report_within_json(const struct report *report, const char *names);
