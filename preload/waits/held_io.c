/* SPDX-License-Identifier: MIT */
#include "preload/waits/held_io.h"

#include <string.h>

#define BIT(operation) (1ULL << OP_##operation)

/* Calls that take a lock; those that try may have. */
static const uint64_t locking = BIT(MUTEX_LOCK) | BIT(MUTEX_TRYLOCK) | BIT(MUTEX_TIMEDLOCK) |
				BIT(RWLOCK_READ) | BIT(RWLOCK_WRITE) | BIT(RWLOCK_TRYREAD) |
				BIT(RWLOCK_TRYWRITE) | BIT(RWLOCK_TIMEDREAD) |
				BIT(RWLOCK_TIMEDWRITE) | BIT(SPIN_LOCK) | BIT(SPIN_TRYLOCK);

_Static_assert(OP_RWLOCK_TIMEDWRITE < 64, "a bit for each operation that takes a lock");

static uint32_t slot_of(uint64_t address)
{
	return hash_slot(address, THREAD_LOCKS);
}

/* A row without an address is of locks that found no room, or of one that was destroyed. */
static void add_row(struct locks_taken *taken, const struct row_tallies *row)
{
	uint64_t address = row->tag >> 8;

	if (!(locking >> row->operation & 1))
		return;
	if (address && address != UINT64_MAX >> 8)
		taken->of[slot_of(address)] += (uint32_t)row->count;
	else
		taken->rest += row->count;
}

/* False: there are too many rows. */
static bool add_up(const struct thread *thread, struct locks_taken *taken)
{
	uint64_t table = thread->counts.table;
	const struct row_tallies *rows = call_counts_rows(table);

	*taken = thread->waited_for;
	taken->mask = call_counts_mask(table);
	if (taken->mask >= HELD_IO_ROWS)
		return false;
	for (uint32_t i = 0; i <= taken->mask; i++) {
		const struct row_tallies *row = &rows[i];

		if (row->operation < 64)
			add_row(taken, row);
	}
	return true;
}

void held_io_waited(struct thread *thread, const struct open_wait *wait)
{
	const void *lock = held_io_lock(wait);

	if (lock)
		thread->waited_for.of[slot_of((uint64_t)lock)]++;
	else
		thread->waited_for.rest++;
}

static uint64_t least_ns(const struct call_counts *counts, uint64_t what)
{
	uint64_t of_rows_ns = (uint64_t)HELD_IO_ROW_NS * (call_counts_mask(counts->table) + 1);
	uint64_t ns = of_rows_ns > HELD_IO_NS ? of_rows_ns : HELD_IO_NS;

	return what & HOLD_FOR_THREADS ? HELD_FOR_THREADS * ns : ns;
}

static void add(struct held_io *held, uint64_t ns, uint64_t what, const void *lock)
{
	held->io.ns += ns;
	held->awaited = lock;
	if (ns < held->longest_ns)
		return;
	held->longest_ns = ns;
	held->io.what = what;
}

void held_io_add(struct thread *thread, uint64_t start_ns, uint64_t end_ns, uint64_t what,
		 const void *lock)
{
	struct held_io *held = &thread->held_io;
	uint64_t ns = end_ns - start_ns;
	struct locks_taken taken;

	if (ns < least_ns(&thread->counts, what))
		return;
	if (!add_up(thread, &taken)) {
		held->io.ns = 0;
		return;
	}
	bool is_same = held->io.ns && memcmp(&taken, &held->taken, sizeof taken) == 0;
	bool is_other = is_same && hold_is_other_kind(held->io.what, what);

	if (!is_same || (is_other && ns > held->io.ns))
		*held = (struct held_io){.taken = taken, .io = {.begin_ns = start_ns}};
	else if (is_other)
		return;
	add(held, ns, what, lock);
	/* the next release is no repetition of those before (activity.c) */
	thread->last_release.address = NULL;
	thread->last_release.left = 0;
}

const struct hold_io *held_io_if_held(struct thread *thread, const struct object *object)
{
	struct held_io *held = &thread->held_io;
	const struct locks_taken *then = &held->taken;
	struct locks_taken now;
	uint32_t slot = slot_of(object->address);

	if (object->kind > OBJECT_SPINLOCK || !add_up(thread, &now))
		return NULL;
	bool has_held =
		now.of[slot] == then->of[slot] && now.rest == then->rest && now.mask == then->mask;

	if (has_held)
		return &held->io;
	if (++held->misses >= HELD_IO_MISSES)
		held->io.ns = 0;
	return NULL;
}
