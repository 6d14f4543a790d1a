/* SPDX-License-Identifier: MIT */
#include "analyze/model/process/futex_waits.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/common/futex_cause.h"
#include "analyze/model/threads/thread_time.h"

#include <stdbool.h>

/* A thread that wakes others at a futex that often takes turns with them there. */
#define WAITS_FOR_A_WAKE 10

struct futex_waits {
	uint64_t by_cause_ns[CAUSE_LIMIT];
	uint64_t turns_ns;                /* part of CAUSE_FUTEX */
	uint64_t semaphores_ns, joins_ns; /* waits for semaphores; part of it: Python's joins */
};

/* How often a thread waited for a futex, and woke others there. */
struct use {
	size_t thread, object; /* the key */
	uint64_t waits, wakes;
};

static bool is_wake(uint64_t operation)
{
	return operation == OP_FUTEX_WAKE || operation == OP_FUTEX_REQUEUE ||
	       operation == OP_FUTEX_UNLOCK;
}

static struct use *find_use(struct keyed_table *uses, size_t thread, size_t object)
{
	return keyed_table_enter(uses, &(struct use){thread, object, 0, 0}, NULL);
}

static struct keyed_table *read_uses(const struct profile *profile)
{
	struct keyed_table *uses =
		keyed_table_create(sizeof(struct use), offsetof(struct use, waits));

	for (size_t i = 0; i < profile->tallies.count; i++) {
		const struct profile_tally *row = &profile->tallies.rows[i];
		if (row->object && is_wake(row->operation))
			find_use(uses, row->thread, row->object)->wakes += row->count;
	}
	for (size_t i = 0; i < profile->waits.count; i++) {
		const struct profile_wait *row = &profile->waits.rows[i];
		if (row->object && row->cause == CAUSE_FUTEX)
			find_use(uses, row->thread, row->object)->waits += row->count;
	}
	return uses;
}

static bool takes_turns(struct keyed_table *uses, size_t thread, size_t object)
{
	const struct use *use = keyed_table_find(uses, &(struct use){thread, object, 0, 0});

	return use && use->wakes && use->wakes >= use->waits / WAITS_FOR_A_WAKE;
}

static void add_semaphore(struct futex_waits *waits, enum cause cause, uint64_t ns)
{
	waits->semaphores_ns += ns;
	waits->joins_ns += cause == CAUSE_JOIN ? ns : 0;
}

struct futex_waits *futex_waits_of(struct names *names, const struct profile *profile)
{
	struct futex_waits *all = memory_allocate(profile->threads.count + 1, sizeof *all);
	struct keyed_table *uses = read_uses(profile);

	for (size_t i = 0; i < profile->waits.count; i++) {
		const struct profile_wait *row = &profile->waits.rows[i];

		if (row->cause != CAUSE_FUTEX && row->cause != CAUSE_SEMAPHORE)
			continue;
		enum cause cause =
			futex_cause(names, profile, row->cause, row->operation, row->callpath);

		if (row->cause == CAUSE_SEMAPHORE) {
			add_semaphore(&all[row->thread], cause, row->sum_ns);
			continue;
		}
		all[row->thread].by_cause_ns[cause] += row->sum_ns;
		if (cause == CAUSE_FUTEX && takes_turns(uses, row->thread, row->object))
			all[row->thread].turns_ns += row->sum_ns;
	}
	keyed_table_destroy(uses);
	return all;
}

static uint64_t share_of(uint64_t sum, uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((unsigned __int128)sum * part / whole) : 0;
}

static void add_present_wait(struct futex_waits *waits, struct names *names,
			     const struct profile *profile, const struct thread_time *time)
{
	const struct profile_thread *thread = time->thread;

	if (time->open_wait_ns && thread->waiting_cause == CAUSE_SEMAPHORE)
		add_semaphore(
			waits,
			futex_cause(names, profile, CAUSE_SEMAPHORE, OP_NONE, thread->waiting_path),
			time->open_wait_ns);
	if (time->open_wait_ns && thread->waiting_cause == CAUSE_FUTEX)
		waits->by_cause_ns[futex_cause(names, profile, CAUSE_FUTEX, OP_NONE,
					       thread->waiting_path)] += time->open_wait_ns;
}

static void move_joins(const struct futex_waits *waits, struct thread_time *time)
{
	uint64_t ns =
		share_of(time->by_cause_ns[CAUSE_SEMAPHORE], waits->joins_ns, waits->semaphores_ns);

	time->by_cause_ns[CAUSE_SEMAPHORE] -= ns;
	time->by_cause_ns[CAUSE_JOIN] += ns;
}

void futex_waits_divide(const struct futex_waits *all, struct names *names,
			const struct profile *profile, struct thread_time *time)
{
	struct futex_waits waits = all[time->index];
	uint64_t blocked_ns = time->by_cause_ns[CAUSE_FUTEX], left_ns = blocked_ns, whole_ns = 0;

	add_present_wait(&waits, names, profile, time);
	move_joins(&waits, time);
	if (!blocked_ns)
		return;
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++)
		whole_ns += waits.by_cause_ns[cause];
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++) {
		uint64_t ns = share_of(blocked_ns, waits.by_cause_ns[cause], whole_ns);

		if (cause == CAUSE_FUTEX)
			continue;
		time->by_cause_ns[cause] += ns;
		left_ns -= ns;
	}
	time->by_cause_ns[CAUSE_FUTEX] = left_ns;
	time->turns_ns = share_of(left_ns, waits.turns_ns, waits.by_cause_ns[CAUSE_FUTEX]);
}
