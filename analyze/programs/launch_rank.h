/* SPDX-License-Identifier: MIT */
/* Which of how many processes of one launch this is, from the launcher's environment: no MPI
 * library is needed, and any launcher will do. Context: reads the environment only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct launch_rank {
	size_t rank, size;
	char job[64]; /* tells launches apart where the launcher gives a name; letters and digits */
};

/* rank 0 of 1 where no launcher has started ranks. False if what it says makes no sense. */
bool launch_rank_read(struct launch_rank *launch);
