/* SPDX-License-Identifier: MIT */
/* Flame graphs of a run's calling-context tree: CPU time, CPU time alone, waits.
 *
 * All three are on the page; with script one is shown at a time, a click zooms, a search marks what
 * it finds and adds it up. Context: pure but for `out`. */
#pragma once

#include "analyze/report/report.h"

#define HTML_FLAME_BOXES 1200 /* for each measure, at most */

/* Nothing if the run was read without RUN_PATHS. */
void html_flame_print(const struct report *report);
