/* SPDX-License-Identifier: MIT */
/* A call tree (path_outline.h) to fold and unfold, without a script: a disclosure for each routine
 * that calls others. Context: pure but for `out`. */
#pragma once

#include "analyze/model/paths/path_layout.h"
#include "analyze/report/report.h"

/* tree: with lines folded. At most 20 routines, and report->top, have none below them that they
 * called; report->top 0: as many as there are. */
void html_tree_print(const struct report *report, const struct path_tree *tree,
		     enum path_measure measure);
