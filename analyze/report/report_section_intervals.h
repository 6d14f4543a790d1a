/* SPDX-License-Identifier: MIT */
/* Times in a section that were far longer than others. */
#pragma once

#include "analyze/report/report.h"

/* "mutex table_lock", "write out.dat", "sleep": what was waited for; released by the caller. */
char *report_section_wait(uint64_t cause, const char *object);
/* "anomalies: solve 2 of 50 longer than 4 x the shortest: number 13 (no processor 52 ms), ...": a
 * paragraph for each section that has any. */
void report_section_anomalies(const struct report *report);
