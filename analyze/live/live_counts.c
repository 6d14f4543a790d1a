/* SPDX-License-Identifier: MIT */
#include "analyze/live/live_counts.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/io_direction.h"

#include <stddef.h>

static const enum operation locking[] = {
	OP_MUTEX_LOCK,      OP_MUTEX_TRYLOCK,     OP_MUTEX_TIMEDLOCK,
	OP_RWLOCK_READ,     OP_RWLOCK_WRITE,      OP_RWLOCK_TRYREAD,
	OP_RWLOCK_TRYWRITE, OP_RWLOCK_TIMEDREAD,  OP_SPIN_LOCK,
	OP_SPIN_TRYLOCK,    OP_RWLOCK_TIMEDWRITE, OP_CRITICAL,
	OP_OMP_SET_LOCK,    OP_OMP_TEST_LOCK,     OP_ATOMIC,
	OP_FUTEX_LOCK,      OP_FUTEX_TRYLOCK,
};

static bool is_locking(uint64_t operation)
{
	for (size_t i = 0; i < sizeof locking / sizeof *locking; i++)
		if (locking[i] == operation)
			return true;
	return false;
}

static bool is_transfer(uint64_t operation)
{
	enum io_direction direction = io_direction_of(operation);

	return direction == IO_READ || direction == IO_WRITTEN || direction == IO_MOVED;
}

static void add_all(struct live_counts *counts, size_t threads)
{
	for (size_t i = 1; i < threads; i++) {
		counts[0].locks += counts[i].locks;
		counts[0].waits += counts[i].waits;
		counts[0].transfers += counts[i].transfers;
		counts[0].bytes += counts[i].bytes;
		counts[0].requests += counts[i].requests;
	}
}

struct live_counts *live_counts_of(const struct profile *profile)
{
	struct live_counts *counts = memory_allocate(profile->threads.count + 1, sizeof *counts);

	for (size_t i = 0; i < profile->tallies.count; i++) {
		const struct profile_tally *row = &profile->tallies.rows[i];

		counts[row->thread].locks += is_locking(row->operation) ? row->count : 0;
	}
	for (size_t i = 0; i < profile->waits.count; i++) {
		const struct profile_wait *row = &profile->waits.rows[i];

		counts[row->thread].locks += is_locking(row->operation) ? row->count : 0;
		counts[row->thread].waits += row->count;
	}
	for (size_t i = 0; i < profile->io_calls.count; i++) {
		const struct profile_io_call *row = &profile->io_calls.rows[i];

		if (!is_transfer(row->operation))
			continue;
		counts[row->thread].transfers += row->count;
		counts[row->thread].bytes += row->bytes;
	}
	for (size_t i = 0; i < profile->requests.count; i++)
		counts[profile->requests.rows[i].thread].requests +=
			profile->requests.rows[i].count;
	add_all(counts, profile->threads.count);
	return counts;
}

static uint64_t growth(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

struct live_counts live_counts_between(const struct live_counts *before,
				       const struct live_counts *now)
{
	if (!before)
		return *now;
	return (struct live_counts){
		.locks = growth(before->locks, now->locks),
		.waits = growth(before->waits, now->waits),
		.transfers = growth(before->transfers, now->transfers),
		.bytes = growth(before->bytes, now->bytes),
		.requests = growth(before->requests, now->requests),
	};
}
