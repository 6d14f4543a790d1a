/* SPDX-License-Identifier: MIT */
#include "preload/thread/call_price.h"

#include "preload/base/clock.h"
#include "preload/base/kernel_call.h"
#include "preload/locks/call_counts.h"
#include "preload/locks/mutex_word.h"
#include "preload/locks/objects.h"
#include "preload/process/real.h"

#include <sys/syscall.h>

enum {
	TRIES = 5,
	TIMES = 64,
	MUTEX_SHARED = 128, /* in the kind: libc uses atomic instructions in any process */
	CALL_PS_MOST = 100000,
};

/* What stands in for a thread's record and for a row of its profile. */
static struct {
	struct call_counts counts; /* too large for the program's stack */
	struct row_tallies rows[1];
	uint64_t unlocks;
	int32_t tid;
	pthread_mutex_t mutex, shared;
} trial;

static int64_t one(void (*act)(void), unsigned times)
{
	uint64_t start_ns = clock_now_ns();

	act();
	return (int64_t)((clock_now_ns() - start_ns) * 1000 / times);
}

uint64_t call_price_of(void (*act)(void), unsigned times, uint64_t most_ps)
{
	uint64_t least_ps = most_ps;

	for (int i = 0; i < TRIES; i++) {
		uint64_t ps = (uint64_t)one(act, times);
		least_ps = ps < least_ps ? ps : least_ps;
	}
	return least_ps;
}

/* ---- the wrappers in small (wrap_mutex.c) */

static void count(const void *object)
{
	call_counts_add(&trial.counts, object, OP_MUTEX_LOCK, 0);
}

static void prepare(const void *object)
{
	trial.counts.table = call_counts_table(trial.rows, 1);
	trial.rows[0] = (struct row_tallies){.tag = call_counts_tag(object, OP_MUTEX_LOCK)};
}

static inline int lock_as(bool is_alone, pthread_mutex_t *mutex)
{
	if (unlikely(!mutex_word_take_as(is_alone, mutex, trial.tid)))
		return 1;
	count(mutex);
	return 0;
}

static inline int unlock_as(bool is_alone, pthread_mutex_t *mutex)
{
	trial.unlocks++;
	if (unlikely(__atomic_load_n(object_waiters_of(mutex), __ATOMIC_RELAXED)))
		return 1;
	return !mutex_word_release_as(is_alone, mutex);
}

__attribute__((noinline)) static int lock(pthread_mutex_t *mutex)
{
	return lock_as(false, mutex);
}

__attribute__((noinline)) static int unlock(pthread_mutex_t *mutex)
{
	return unlock_as(false, mutex);
}

__attribute__((noinline)) static int lock_alone(pthread_mutex_t *mutex)
{
	return lock_as(true, mutex);
}

__attribute__((noinline)) static int unlock_alone(pthread_mutex_t *mutex)
{
	return unlock_as(true, mutex);
}

__attribute__((noinline)) static int native(pthread_mutex_t *mutex)
{
	__asm__ volatile("" : "+r"(mutex));
	return 0;
}

__attribute__((noinline)) static int counted(pthread_mutex_t *mutex)
{
	int (*volatile passed_on)(pthread_mutex_t * of) = native;

	count(mutex);
	return passed_on(mutex);
}

__attribute__((noinline)) static int counted_lock(pthread_mutex_t *mutex)
{
	count(&trial.mutex); /* the only row */
	return real.pthread_mutex_trylock(mutex);
}

/* ---- what is compared */

typedef int (*mutex_call)(pthread_mutex_t *mutex);

static inline void repeat(mutex_call first, mutex_call second, pthread_mutex_t *mutex)
{
	for (int i = 0; i < TIMES; i++) {
		first(mutex);
		if (second)
			second(mutex);
	}
}

static void pairs(void)
{
	repeat(lock, unlock, &trial.mutex);
}

static void pairs_alone(void)
{
	repeat(lock_alone, unlock_alone, &trial.mutex);
}

static void pairs_of_libc(void)
{
	repeat(real.pthread_mutex_lock, real.pthread_mutex_unlock, &trial.shared);
}

static void pairs_of_libc_alone(void)
{
	repeat(real.pthread_mutex_lock, real.pthread_mutex_unlock, &trial.mutex);
}

static void tried_pairs(void)
{
	repeat(counted_lock, real.pthread_mutex_unlock, &trial.shared);
}

static void tried_pairs_of_libc(void)
{
	repeat(real.pthread_mutex_trylock, real.pthread_mutex_unlock, &trial.shared);
}

static void calls(void)
{
	repeat(native, NULL, &trial.mutex);
}

static void counted_calls(void)
{
	repeat(counted, NULL, &trial.mutex);
}

/* Of the least of some measurements in turn: whatever interrupts one makes it longer. native_ps, if
 * not NULL: libc's part. */
static uint64_t difference(void (*ours)(void), void (*libcs)(void), uint64_t *native_ps)
{
	int64_t least_ps = INT64_MAX, of_libc_ps = INT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		int64_t libc_ps = one(libcs, TIMES), ps = one(ours, TIMES);
		of_libc_ps = libc_ps < of_libc_ps ? libc_ps : of_libc_ps;
		least_ps = ps < least_ps ? ps : least_ps;
	}
	if (native_ps)
		*native_ps = (uint64_t)(of_libc_ps < CALL_PS_MOST ? of_libc_ps : CALL_PS_MOST);
	int64_t added_ps = least_ps - of_libc_ps;
	added_ps = added_ps < CALL_PS_MOST ? added_ps : CALL_PS_MOST;
	return added_ps > 0 ? (uint64_t)added_ps : 0;
}

static void measure_pairs(struct call_prices *prices, int32_t tid)
{
	if (mutex_word_kind <
	    0) { /* the wrapper asks libc, or another library: two counts, two calls */
		prices->lock_ps = prices->call_ps;
		prices->pair_ps[false] = prices->pair_ps[true] = 2 * prices->call_ps;
		return;
	}
	trial.tid = tid;
	trial.mutex.__data.__kind = mutex_word_kind;
	trial.shared.__data.__kind = mutex_word_kind | MUTEX_SHARED;
	/* libc's atomic instruction hides much of it here, less so among a program's own work: it is
	 * never below what a call and a count take */
	uint64_t tried_ps = difference(tried_pairs, tried_pairs_of_libc, NULL);
	prices->lock_ps = tried_ps > prices->call_ps ? tried_ps : prices->call_ps;
	prices->pair_ps[false] = difference(pairs, pairs_of_libc, &prices->native_pair_ps[false]);
	prices->pair_ps[true] =
		difference(pairs_alone, pairs_of_libc_alone, &prices->native_pair_ps[true]);
}

void call_price_measure(struct call_prices *prices, int32_t tid)
{
	*prices = (struct call_prices){0};
	prepare(&trial.mutex);
	prices->call_ps = difference(counted_calls, calls, NULL);
	measure_pairs(prices, tid);
}
