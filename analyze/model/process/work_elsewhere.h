/* SPDX-License-Identifier: MIT */
/* Does another process of the run work while this one waits? A worker of a pool that has nothing to
 * do, and the parent that waits for what it has started, lose no time: the work is done elsewhere.
 * Ranks of a job are judged as ranks, and have none. Context: pure. */
#pragma once

#include "analyze/read/run_read.h"

/* Another process of the same host, alive for at least half of this one's life, had a thread that
 * worked (was on a processor, or ready for one) for at least half as long as this one lived.
 * life_end_ns: of this one. */
bool work_is_elsewhere(const struct run_files *files, size_t index, uint64_t life_end_ns);
