/* SPDX-License-Identifier: MIT */
/* What stuck waits are called: cycles first, then what has no cycle, and nothing for those who only
 * wait for such (their chain leads to it). A thread is in one verdict. Context: pure. */
#pragma once

#include "analyze/model/stuck/stuck_graph.h"
#include "analyze/model/stuck/stuck_wait.h"

/* Adds verdicts without texts. is_stuck: of the graph's nodes, of which the first are the waits. */
void stuck_verdicts_add(struct stuck *stuck, const struct stuck_graph *graph, const bool *is_stuck);
