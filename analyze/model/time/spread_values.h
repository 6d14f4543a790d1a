/* SPDX-License-Identifier: MIT */
/* The times behind a spread, each with the thread or process that took it.
 *
 * Of one line at most SPREAD_VALUES_MOST are kept, the largest ones: a run may have 10,000 ranks,
 * and those that stand out are asked for. The spread itself is of all (spread.h). Context: pure. */
#pragma once

#include "analyze/model/time/spread.h"

#include <stdbool.h>

enum { SPREAD_VALUES_MOST = 128 };

struct spread_value {
	struct spread_unit at;
	uint64_t ns;
};

/* While they are collected: the self time of a unit, and its total time, which counts where no unit
 * has self time. A zeroed struct is empty. */
struct spread_pair {
	size_t unit; /* index of spread_units */
	uint64_t self_ns, total_ns;
};

struct spread_pairs {
	struct spread_pair *rows;
	size_t count, capacity;
};

/* The units that pairs are of. A zeroed struct is empty. */
struct spread_units {
	struct spread_unit *rows;
	size_t count, capacity;
};

/* The index of a new unit. */
size_t spread_units_add(struct spread_units *units, const struct spread_unit *unit);
void spread_pairs_add(struct spread_pairs *pairs, const struct spread_units *units,
		      const struct spread_pair *pair);
/* The values, the largest first; as many as there are pairs; released by the caller. */
struct spread_value *spread_pairs_values(const struct spread_pairs *pairs,
					 const struct spread_units *units, bool is_total);
void spread_pairs_clear(struct spread_pairs *pairs);
