/* SPDX-License-Identifier: MIT */
#include "analyze/model/process/own_cost.h"

#include "preload/file/vocabulary.h"

/* Of the kernel: a record of a context switch, and for each new thread that it records one event a
 * processor, made and freed (docs/dev/performance.md). */
#define RECORD_NS 650
#define EVENT_NS  5000

static double records_ns(const struct profile_thread *thread, const struct profile_process *process)
{
	double life_ns = (double)thread->past_life_ns + (double)thread->updated_ns -
			 (double)thread->birth_ns;
	double covered = life_ns > 0 ? (double)thread->covered_ns / life_ns : 0;
	double switches = (double)thread->voluntary_switches + (double)thread->involuntary_switches;
	double births = thread->flags & THREAD_FIRST ? 0 : (double)thread->lives;

	return (covered < 1 ? covered : 1) *
	       (RECORD_NS * switches + EVENT_NS * births * (double)process->processors);
}

static bool is_of_lock(unsigned operation)
{
	switch (operation) {
	case OP_MUTEX_TRYLOCK:
	case OP_MUTEX_TIMEDLOCK:
	case OP_RWLOCK_READ:
	case OP_RWLOCK_WRITE:
	case OP_RWLOCK_TRYREAD:
	case OP_RWLOCK_TRYWRITE:
	case OP_RWLOCK_TIMEDREAD:
	case OP_RWLOCK_TIMEDWRITE:
	case OP_RWLOCK_UNLOCK:
	case OP_SPIN_LOCK:
	case OP_SPIN_TRYLOCK:
	case OP_SPIN_UNLOCK:
	case OP_SEM_WAIT:
	case OP_SEM_TRYWAIT:
	case OP_SEM_TIMEDWAIT:
	case OP_SEM_POST:
		return true;
	default:
		return false;
	}
}

/* A free mutex costs its price half when it is taken, half when it is given back. */
static double price_ps(const struct profile_process *prices, unsigned operation)
{
	if (operation == OP_MUTEX_LOCK)
		return (double)prices->pair_cost_ps / 2;
	return (double)(is_of_lock(operation) ? prices->lock_cost_ps : prices->tally_cost_ps);
}

/* A call on a descriptor, and a wait that was only timed, reads the processor's counter twice; what
 * it keeps beside that is what reading the clock takes beyond the counter. */
static double timed_ps(const struct profile_process *prices)
{
	return 2 * (double)prices->clock_cost_ps;
}

static double calls_ns(const struct profile *profile)
{
	const struct profile_process *prices = &profile->process;
	double ps = 0;

	for (size_t i = 0; i < profile->tallies.count; i++)
		ps += (double)profile->tallies.rows[i].count *
		      price_ps(prices, profile->tallies.rows[i].operation);
	for (size_t i = 0; i < profile->io_calls.count; i++)
		ps += (double)profile->io_calls.rows[i].count * timed_ps(prices);
	for (size_t i = 0; i < profile->waits.count; i++)
		ps += (double)profile->waits.rows[i].left_out * timed_ps(prices);
	return ps / 1000;
}

/* Both hooks of a call of an instrumented routine count, and read the clock where they time it. */
static double instrumented_ns(const struct profile *profile)
{
	const struct profile_process *prices = &profile->process;
	double ps = 0;

	for (size_t i = 0; i < profile->calls.count; i++) {
		const struct profile_call *row = &profile->calls.rows[i];

		ps += 2 * ((double)row->count * (double)prices->tally_cost_ps +
			   (double)(row->count - row->untimed) * (double)prices->clock_cost_ps);
	}
	return ps / 1000;
}

static double thread_ns(const struct profile_thread *thread, const struct profile_process *prices)
{
	return (double)thread->tool_ns + records_ns(thread, prices) +
	       ((double)thread->unlocks * price_ps(prices, OP_MUTEX_LOCK) +
		(double)thread->samples * (double)prices->signal_cost_ps) /
		       1000;
}

uint64_t own_cost_ns(const struct profile *profile)
{
	double cost = calls_ns(profile) + instrumented_ns(profile);

	for (size_t i = 1; i < profile->threads.count; i++)
		cost += thread_ns(&profile->threads.rows[i], &profile->process);
	return cost < 1e18 ? (uint64_t)cost : UINT64_MAX;
}
