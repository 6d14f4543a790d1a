/* SPDX-License-Identifier: MIT */
/* Which of how many processes of one launch this is, from the launcher's environment: no MPI
 * library is needed, and any launcher will do. Context: reads the environment only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct launch_rank {
	size_t rank, size;
	char job[64]; /* identifies the launch if the launcher names it; letters and digits */
};

/* rank 0 of 1 if no launcher has started ranks. False if its variables make no sense. */
bool launch_rank_read(struct launch_rank *launch);
