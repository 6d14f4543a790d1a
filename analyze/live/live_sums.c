/* SPDX-License-Identifier: MIT */
#include "analyze/live/live_sums.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"

#include <stdlib.h>

struct live_sums {
	struct keyed_table *now, *before;
};

static struct keyed_table *empty(void)
{
	return keyed_table_create(sizeof(struct live_sum), sizeof(struct live_key));
}

struct live_sums *live_sums_create(void)
{
	struct live_sums *sums = memory_allocate(1, sizeof *sums);

	sums->now = empty();
	sums->before = empty();
	return sums;
}

void live_sums_destroy(struct live_sums *sums)
{
	keyed_table_destroy(sums->now);
	keyed_table_destroy(sums->before);
	free(sums);
}

void live_sums_begin(struct live_sums *sums)
{
	keyed_table_destroy(sums->before);
	sums->before = sums->now;
	sums->now = empty();
}

struct live_sum *live_sums_at(struct live_sums *sums, const struct live_key *key)
{
	const struct live_sum probe = {.key = *key};

	return keyed_table_enter(sums->now, &probe, NULL);
}

size_t live_sums_count(const struct live_sums *sums)
{
	return keyed_table_count(sums->now);
}

const struct live_sum *live_sums_row(const struct live_sums *sums, size_t index,
				     uint64_t growth[LIVE_VALUES])
{
	const struct live_sum *row = keyed_table_row(sums->now, index);
	const struct live_sum *old = keyed_table_find(sums->before, row);

	for (size_t i = 0; i < LIVE_VALUES; i++) {
		uint64_t was = old ? old->values[i] : 0;

		growth[i] = row->values[i] > was ? row->values[i] - was : 0;
	}
	return row;
}
