/* SPDX-License-Identifier: MIT */
/* The whole report: all sections one after the other, as text, JSON or CSV. */
#pragma once

#include "analyze/report/report.h"

/* The text report, released by the caller. May have fewer rows per table than report->top to keep
 * the whole within `lines_max` lines (0: no limit). */
char *report_text(const struct report *report, const char *names, unsigned lines_max);
void report_print_json(const struct report *report, const char *names);
/* The JSON of each section as a table. If there are several sections, each is preceded by a line "@
 * name". */
void report_print_csv(const struct report *report, const char *names);
/* The first line of such a table without rows; released by the caller. */
char *report_section_head(const struct report_section *section);
/* The line that ptrace-run prints at the end. */
void report_print_summary(const struct report *report);
/* The list of sections for --help or, with all that there is to say, for --section help. */
void report_print_sections(FILE *out, bool with_help);

/* The nth section that --section may name; NULL: there are not so many. */
const char *report_section_name(size_t index);
