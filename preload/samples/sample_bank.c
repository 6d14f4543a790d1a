/* SPDX-License-Identifier: MIT */
#include "preload/samples/sample_bank.h"

#include "preload/base/hash.h"

#include <stdbool.h>
#include <string.h>

enum { PLACES = 64 };

static uint64_t left_ns[PLACES]; /* atomic; relaxed: nothing is ordered by them */

static uint64_t *place_of(const void *routine)
{
	return &left_ns[hash_slot((uint64_t)routine, PLACES)];
}

void sample_bank_give(const void *routine, uint64_t ns)
{
	__atomic_fetch_add(place_of(routine), ns, __ATOMIC_RELAXED);
}

uint64_t sample_bank_take(const void *routine, uint64_t most_ns)
{
	uint64_t *place = place_of(routine), left = __atomic_load_n(place, __ATOMIC_RELAXED), taken;

	do
		taken = left < most_ns ? left : most_ns;
	while (!__atomic_compare_exchange_n(place, &left, left - taken, true, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED));
	return taken;
}

void sample_bank_reset(void)
{
	memset(left_ns, 0, sizeof left_ns);
}
