/* SPDX-License-Identifier: MIT */
/* The report as a whole: the sections one behind the other, as text, JSON or CSV. */
#pragma once

#include "analyze/report/report.h"

/* names: comma-separated sections, NULL for all. Returns the first name that is unknown (released
 * by the caller), or NULL. */
char *report_find_unknown_section(const char *names);

/* Is the section to be printed: one of the names, or worth it without names? */
bool report_is_wanted(const struct report *report, const char *names,
		      const struct report_section *section);

/* May show fewer rows per table than report->top to keep the whole within `lines_max` (0: as long
 * as it is). */
void report_print_text(const struct report *report, const char *names, unsigned lines_max);
void report_print_json(const struct report *report, const char *names);
/* The JSON of each section as a table. More than one: each below a line "@ name". */
void report_print_csv(const struct report *report, const char *names);
/* The line with which ptrace-run ends. */
void report_print_summary(const struct report *report);
/* The list of sections, for --help, and with all that there is to say, for --section help. */
void report_print_sections(FILE *out, bool with_help);
