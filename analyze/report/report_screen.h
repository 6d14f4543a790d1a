/* SPDX-License-Identifier: MIT */
/* The first screen of a report, in about 25 lines: what ran, what its threads did with their time,
 * what to do first, and where to read on. Everything on it is in other sections with more detail.
 * Context: pure but for report->out. */
#pragma once

#include "analyze/model/run/thread_groups.h"
#include "analyze/report/report.h"

#define REPORT_SCREEN_COLUMNS 12 /* of names in front of lines */

/* Groups of threads, and what each did with its lifetime: at most `most` lines. */
void report_screen_groups(const struct report *report, const struct thread_groups *groups,
			  unsigned most);
/* What limits how far the figures can be trusted; released by the caller, "" for nothing. */
char *report_screen_care(const struct report *report);
/* Of the problems besides the first: nothing, what they are, and what shows it. */
enum screen_detail { SCREEN_FIRST, SCREEN_TITLES, SCREEN_EVIDENCE };

/* The problems with the most at stake, and advice for the first. */
void report_screen_problems(const struct report *report, enum screen_detail detail);
/* "on a processor: 0 for 1 %, ..; CEFF ..": released by the caller. */
char *report_screen_concurrency(const struct report *report);
