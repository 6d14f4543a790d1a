/* SPDX-License-Identifier: MIT */
/* From a profile to the waits of its threads, and to what else is needed to say whom they are for.
 * Context: pure but for names and process_look.h. */
#pragma once

#include "analyze/model/stuck/stuck_wait.h"

struct process;

void stuck_collect(struct stuck *stuck, struct stuck_facts *facts, struct names *names,
		   const struct profile *profile, const struct process *process);
void stuck_facts_clear(struct stuck_facts *facts);
