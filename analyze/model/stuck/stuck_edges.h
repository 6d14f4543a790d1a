/* SPDX-License-Identifier: MIT */
/* Whom each wait is for, as a graph (stuck_graph.h): node i is wait i, and further nodes stand for
 * processes and crowds. Sets source, others, is_certain, is_held_by_dead and state of the waits.
 *
 * An edge is certain if nobody else could end the wait: the holder was read from the lock, or has
 * itself been waiting since before this wait began, so that it cannot have given the lock back.
 * Context: pure, but for the open ends of pipes (process_look.h). */
#pragma once

#include "analyze/model/stuck/stuck_graph.h"
#include "analyze/model/stuck/stuck_wait.h"

struct process;

struct stuck_graph stuck_edges_of(struct stuck *stuck, const struct stuck_facts *facts,
				  const struct process *processes, size_t process_count);
