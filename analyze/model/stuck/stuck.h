/* SPDX-License-Identifier: MIT */
/* Which waits of a run can never end, and why: the interface of this room. What the figures mean:
 * stuck_wait.h. An accumulator (accumulator.h). */
#pragma once

#include "analyze/model/stuck/stuck_wait.h"

struct process;
struct stuck_accumulator;

struct stuck_accumulator *stuck_accumulator_create(struct names *names);
void stuck_accumulator_add(struct stuck_accumulator *accumulator, const struct profile *profile,
			   const struct process *process);
/* is_over: all processes ended by themselves, so that nothing is stuck. */
struct stuck stuck_accumulator_finish(struct stuck_accumulator *accumulator,
				      const struct process *processes, size_t process_count,
				      bool is_over);
/* Instead of finish. */
void stuck_accumulator_destroy(struct stuck_accumulator *accumulator);
void stuck_clear(struct stuck *stuck);
