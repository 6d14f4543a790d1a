/* SPDX-License-Identifier: MIT */
/* Who was waited for in the collective calls of a run: for each recorded call the rank that entered
 * last and, if the call has one, the root.
 *
 * Context: pure. One row for each call, at most CHROME_COLLECTIVES_MAX: later calls are not
 * matched. */
#pragma once

#include "analyze/read/profile.h"

#define CHROME_COLLECTIVES_MAX (1u << 18)

struct chrome_arrival {
	size_t process; /* index in run->processes, + 1; 0: none yet */
	int64_t enter_ns;
};

struct chrome_collective {
	uint64_t job, identity, leader, sequence; /* the key */
	struct chrome_arrival last, root;
};

struct chrome_collectives;

struct chrome_collectives *chrome_collectives_create(void);
void chrome_collectives_destroy(struct chrome_collectives *all);
/* offset_ns: to be added to the process's instants to compare them with those of others. */
void chrome_collectives_add(struct chrome_collectives *all, const struct profile *profile,
			    size_t process, int64_t offset_ns);
/* NULL: not matched. */
const struct chrome_collective *chrome_collectives_find(const struct chrome_collectives *all,
							const struct profile *profile,
							const struct profile_mpi_collective *row);
/* Whom the rank that made this call had to wait for; NULL: nobody, or unknown. */
const struct chrome_arrival *chrome_collectives_awaited(const struct chrome_collective *collective,
							const struct profile *profile,
							const struct profile_mpi_collective *row,
							int64_t enter_ns);
