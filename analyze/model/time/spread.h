/* SPDX-License-Identifier: MIT */
/* How evenly a time is shared by threads or by processes: least, mean, most, deviation, and where
 * the extremes were.
 *
 * A distribution is made of the values of one unit (a thread, or a process) after the other, by
 * Welford's method; two of them are united by that of Chan, Golub and LeVeque ("Updating formulae
 * and a pairwise algorithm for computing sample variances", 1979). Context: pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { BY_THREAD, BY_PROCESS, WAYS };

/* A thread or a process. */
struct spread_unit {
	size_t process;   /* index in run->processes */
	uint64_t tid;     /* 0 where processes are compared */
	const char *name; /* of the thread, kept by the names; NULL where processes are compared */
};

struct spread {
	size_t count; /* units that have any of the time */
	double min_ns, mean_ns, max_ns, deviation_ns;
	struct spread_unit min_at, max_at;
};

/* A zeroed struct is empty. */
struct distribution {
	uint64_t unit_ns; /* of the current unit */
	double sum_squares;
	struct spread spread; /* but for the deviation */
};

/* Ends a unit, which took unit_ns. */
void distribution_close(struct distribution *distribution, const struct spread_unit *unit);
void distribution_unite(struct distribution *to, const struct distribution *from);
struct spread distribution_spread(const struct distribution *distribution);
