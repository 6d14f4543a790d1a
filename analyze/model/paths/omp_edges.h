/* SPDX-License-Identifier: MIT */
/* How long a thread was in regions that it started, outside of its own body and of tasks: where it
 * starts them, and at their closing barriers. Context: pure. */
#pragma once

#include "analyze/read/profile.h"

/* By row of omp_executions, 0 for those of other threads; free() it. *sum_ns: of all rows. */
uint64_t *omp_edges_read(const struct profile *profile, size_t thread, uint64_t *sum_ns);
