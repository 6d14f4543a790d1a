/* SPDX-License-Identifier: MIT */
/* Does another process of the run work while this one waits? A pool worker that has nothing to do,
 * and a parent that waits for its children, lose no time: the work is done elsewhere. False for
 * ranks of a job, which are judged as ranks. Context: pure. */
#pragma once

#include "analyze/read/run_read.h"

/* Another process of the same host, alive for at least half of this one's life, had a thread that
 * worked (was on a processor, or ready for one) for at least half as long as this one lived.
 * life_end_ns: of this one. */
bool work_is_elsewhere(const struct run_files *files, size_t index, uint64_t life_end_ns);
