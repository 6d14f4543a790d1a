/* SPDX-License-Identifier: MIT */
/* All waits of a profile, with the call path that waited and the name of what it waited for: waits
 * for objects, MPI calls, and OpenMP barriers, including those under way. Context: pure but for
 * names. */
#pragma once

#include "analyze/model/common/names.h"

struct process;

struct path_wait {
	size_t callpath;            /* 0: unknown */
	size_t site;                /* a call path that ends at the call that waits; 0: unknown */
	const struct frame *frames; /* below it, outermost first: for OpenMP, where only the place
				       is recorded */
	size_t frame_count;
	size_t region;   /* row of omp_regions, of a wait with such frames; 0: in none */
	bool is_of_team; /* the time is of all members of a team, not of the thread alone */
	enum cause cause;
	const char *name; /* "[mutex queue_lock]"; lives as long as the names */
	uint64_t time_ns, count;
	size_t thread; /* index in the profile's threads */
};

typedef void path_wait_visit(void *data, const struct profile *profile,
			     const struct path_wait *wait);

/* Calls `visit` for each wait. */
void path_waits_read(struct names *names, const struct profile *profile,
		     const struct process *process, path_wait_visit *visit, void *data);
