/* SPDX-License-Identifier: MIT */
/* How often the threads of a profile have locked, waited, read, written and answered until a
 * reading. Exact. Context: pure. */
#pragma once

#include "analyze/read/profile.h"

#include <stdbool.h>
#include <stdint.h>

struct live_counts {
	uint64_t locks;     /* calls that take a lock, and those that only try */
	uint64_t waits;     /* waits that ended, for whatever; calls of MPI are none of them */
	uint64_t transfers; /* calls that read or write, also those that failed */
	uint64_t bytes;     /* that these transferred */
	uint64_t requests;  /* that were answered (model/requests/requests.h) */
};

/* By thread of the profile; index 0: all of them together. Released by the caller. */
struct live_counts *live_counts_of(const struct profile *profile);

/* By how much each grew; what became less, in a damaged file, by 0. before: NULL: from 0. */
struct live_counts live_counts_between(const struct live_counts *before,
				       const struct live_counts *now);
