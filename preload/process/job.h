/* SPDX-License-Identifier: MIT */
/* Which parallel job this process belongs to, if no ptrace-run has found that out: from the
 * environment that the launcher sets, or, with hydra, from the arguments of its proxy.
 *
 * All processes of a job, and those that they start, get the same number without communicating; the
 * next job gets another one. Context: start-up. May change errno. */
#pragma once

#include <stdint.h>

/* 0: no job, or a launcher that gives its jobs no name. At most 9 digits. */
uint64_t job_number(void);
