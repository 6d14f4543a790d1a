/* SPDX-License-Identifier: MIT */
/* How evenly a time is shared by threads or by processes: least, mean, most, deviation, and where
 * the extremes were.
 *
 * A distribution is made of the values of one unit (a thread, or a process) after the other, by
 * Welford's method; two of them are united by that of Chan, Golub and LeVeque ("Updating formulae
 * and a pairwise algorithm for computing sample variances", 1979). Context: pure. */
#pragma once

#include "analyze/tables/merged.h"

enum { BY_THREAD, BY_PROCESS, WAYS };

/* Columns: merged.def. count: units that have any of the time. A unit is a thread or a process, of
 * which it has no tid, and NULL for a name. */
struct spread {
	struct spread_sums;
	double deviation_ns;
};

/* A zeroed struct is empty. */
struct distribution {
	uint64_t unit_ns; /* of the current unit */
	struct spread_sums spread;
};

/* Ends a unit, which took unit_ns. */
void distribution_close(struct distribution *distribution, const struct spread_unit *unit);
void distribution_unite(struct distribution *to, const struct distribution *from);
/* The same with a row of a merged run, for one of the two ways. */
void distribution_unite_row(struct distribution to[WAYS], bool by_process, struct spread_sums row);
struct spread distribution_spread(const struct distribution *distribution);
