/* SPDX-License-Identifier: MIT */
/* Which parallel job this process belongs to, where no ptrace-run has found that out: from what the
 * launcher left in the environment, or, with hydra, in the arguments of its proxy.
 *
 * All processes of a job, and what they start, get the same number without talking to each other;
 * the next job gets another one. Context: start-up. May change errno. */
#pragma once

#include <stdint.h>

/* 0: no job, or a launcher that gives its jobs no name. At most 9 digits. */
uint64_t job_number(void);
