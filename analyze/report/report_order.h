/* SPDX-License-Identifier: MIT */
/* Which sections a text has, in which order, and the short names of some of them. Context: pure. */
#pragma once

#include "analyze/report/report.h"

/* Is the name in the comma-separated list? NULL: all are. */
bool report_is_named(const char *names, const char *name);

/* Is the section printed? If it is one of the names or, without names, if it has something to
 * say. */
bool report_is_wanted(const struct report *report, const char *names,
		      const struct report_section *section);

/* All sections that can be printed as text, in the order of this report: what to do, then what the
 * kind of program is judged by (ranks, teams, processes), then the others, and at the end what is
 * to be known about the run. Released by the caller. */
const struct report_section **report_order(const struct report *report, size_t *count);

/* The tables that the report has besides the overview, as words for the command, in one line behind
 * a name so many columns wide; released by the caller. */
char *report_more(const struct report *report, unsigned columns);

/* "locks" for synchronization; the name itself, if it is short. */
const char *report_short_name(const struct report_section *section);
/* The section of that name or short name; NULL: there is none. */
const char *report_section_of(const char *word);
/* The sections of comma-separated names or short names, comma-separated. If one is unknown, NULL,
 * and *unknown is that one. Both are released by the caller. */
char *report_sections_of(const char *words, char **unknown);
