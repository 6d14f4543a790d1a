/* SPDX-License-Identifier: MIT */
/* futexes KIND [N]: what a program does with futexes of its own, by libc's syscall(). calls (each
 * operation, N times where it does not wait), late (two threads wait for one that works), moved
 * (waiters are moved to another address), innocent (calls that wake nobody), any (futex_waitv),
 * locks (PI futexes), own (a lock made of a futex, which a helper waits for all the time). */
#include "futexes.h"

#include <limits.h>
#include <stdint.h>

static int gate, second, pi_lock, free_lock;

/* ---- calls ---- */

static void repeat(const char *name, int count, int *word, int operation, int value, void *fourth,
		   int *other, int third)
{
	long sum = 0;

	for (int i = 0; i < count; i++)
		sum += futex(word, operation, value, fourth, other, third);
	tell(name, sum);
}

#define COUNT_ARGUMENT(count) ((void *)(long)(count))

static void calls_that_do_not_wait(int count)
{
	int no_op = FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0);

	repeat("changed", count, &gate, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
	repeat("changed, shared", count, &gate, FUTEX_WAIT, 1, NULL, NULL, 0);
	repeat("changed, bits", count, &gate, FUTEX_WAIT_BITSET, 1, NULL, NULL, -1);
	repeat("wake", count, &gate, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	repeat("wake bits", count, &gate, FUTEX_WAKE_BITSET, 1, NULL, NULL, -1);
	repeat("wake op", count, &gate, FUTEX_WAKE_OP, 1, COUNT_ARGUMENT(1), &second, no_op);
	repeat("requeue", count, &gate, FUTEX_REQUEUE, 1, COUNT_ARGUMENT(1), &second, 0);
	repeat("cmp requeue", count, &gate, FUTEX_CMP_REQUEUE, 1, COUNT_ARGUMENT(1), &second, 0);
	repeat("cmp requeue pi", count, &gate, FUTEX_CMP_REQUEUE_PI, 1, COUNT_ARGUMENT(0), &pi_lock,
	       0);
	for (int i = 0; i < count; i++) {
		repeat("trylock", 1, &free_lock, FUTEX_TRYLOCK_PI, 0, NULL, NULL, 0);
		repeat("unlock", 1, &free_lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
	}
}

static void calls_that_are_wrong(void)
{
	struct timespec wrong = {0, -1};

	repeat("no such operation", 1, &gate, 99, 0, NULL, NULL, 0);
	repeat("negative operation", 1, &gate, -1, 0, NULL, NULL, 0);
	repeat("no address", 1, NULL, FUTEX_WAIT, 0, NULL, NULL, 0);
	repeat("wrong time", 1, &gate, FUTEX_WAIT, 0, &wrong, NULL, 0);
	repeat("not mine", 1, &pi_lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
}

/* Time-outs: relative, absolute by both clocks; five of them. */
static void calls_that_time_out(void)
{
	struct timespec relative = span(0.02), late = deadline(CLOCK_MONOTONIC, 0.02);
	double begin = now();

	repeat("timed out", 1, &gate, FUTEX_WAIT_PRIVATE, 0, &relative, NULL, 0);
	late = deadline(CLOCK_MONOTONIC, 0.02);
	repeat("absolute", 1, &gate, FUTEX_WAIT_BITSET_PRIVATE, 0, &late, NULL, -1);
	late = deadline(CLOCK_REALTIME, 0.02);
	repeat("realtime", 1, &gate, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, &late, NULL, -1);
	late = deadline(CLOCK_MONOTONIC, -1);
	repeat("past", 1, &gate, FUTEX_WAIT_BITSET, 0, &late, NULL, -1);
	late = deadline(CLOCK_MONOTONIC, 0.02);
	repeat("requeue pi", 1, &gate, FUTEX_WAIT_REQUEUE_PI, 0, &late, &pi_lock, 0);
	truth("timed_out", now() - begin);
}

static void calls(int count)
{
	calls_that_do_not_wait(count);
	calls_that_are_wrong();
	calls_that_time_out();
}

/* ---- late: waiting and who is to blame ---- */

static double waited[2];

static NOINLINE void *wait_for_gate(void *argument)
{
	double begin = now(), *result = argument;

	while (!__atomic_load_n(&gate, __ATOMIC_SEQ_CST))
		futex(&gate, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	*result = now() - begin;
	return NULL;
}

static NOINLINE void open_gate(double seconds)
{
	BURN(seconds);
	__atomic_store_n(&gate, 1, __ATOMIC_SEQ_CST);
	tell("woken", futex(&gate, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0));
	KEEP;
}

static void late(int unused)
{
	pthread_t threads[2];

	(void)unused;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, wait_for_gate, &waited[i]);
	nap_raw(0.05);
	open_gate(0.1);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	truth("waited", waited[0] + waited[1]);
}

/* ---- moved ---- */

static NOINLINE void move_to_second(void)
{
	BURN(0.1);
	__atomic_store_n(&gate, 1, __ATOMIC_SEQ_CST);
	tell("woken or moved",
	     futex(&gate, FUTEX_CMP_REQUEUE_PRIVATE, 1, COUNT_ARGUMENT(INT_MAX), &second, 1));
	KEEP;
}

static void moved(int unused)
{
	pthread_t threads[2];

	(void)unused;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, wait_for_gate, &waited[i]);
	nap_raw(0.05);
	move_to_second();
	BURN(0.1);
	tell("woken later", futex(&second, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0));
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	truth("waited", waited[0] + waited[1]);
}

/* ---- innocent ---- */

static NOINLINE void *wait_for_bit(void *argument)
{
	double begin = now(), *result = argument;

	futex(&gate, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, 1);
	*result = now() - begin;
	return NULL;
}

static NOINLINE void *wait_for_second(void *argument)
{
	double begin = now(), *result = argument;

	futex(&second, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	*result = now() - begin;
	return NULL;
}

/* Each meets the one who waits for the gate, and does not wake him. The last one wakes who waits at
 * its first address, since the comparison for the second one fails. */
static NOINLINE void wake_nobody(void)
{
	int never = FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 5);

	BURN(0.02);
	tell("other bits", futex(&gate, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 2));
	BURN(0.02);
	tell("refused", futex(&gate, FUTEX_CMP_REQUEUE_PRIVATE, 1, COUNT_ARGUMENT(1), &pi_lock, 9));
	BURN(0.02);
	tell("not mine", futex(&gate, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0));
	BURN(0.02);
	tell("neither", futex(&pi_lock, FUTEX_WAKE_OP_PRIVATE, 1, COUNT_ARGUMENT(1), &gate, never));
	BURN(0.02);
	tell("first", futex(&second, FUTEX_WAKE_OP_PRIVATE, 1, COUNT_ARGUMENT(1), &gate, never));
	KEEP;
}

static void innocent(int unused)
{
	pthread_t threads[2];

	(void)unused;
	pthread_create(&threads[0], NULL, wait_for_bit, &waited[0]);
	pthread_create(&threads[1], NULL, wait_for_second, &waited[1]);
	nap_raw(0.05);
	wake_nobody();
	open_gate(0.1);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	truth("waited", waited[0] + waited[1]);
}

/* ---- any ---- */

static void any(int unused)
{
	struct {
		uint64_t value, address;
		uint32_t flags, reserved;
	} waiters[2] = {
		{0, (uint64_t)&gate, 2 /* 32 bits */ | FUTEX_PRIVATE_FLAG, 0},
		{0, (uint64_t)&second, 2 | FUTEX_PRIVATE_FLAG, 0},
	};
	struct timespec until = deadline(CLOCK_MONOTONIC, 0.1);
	double begin = now();

	(void)unused;
	tell("waitv", syscall(449, waiters, 2, 0, &until, CLOCK_MONOTONIC));
	truth("waited", now() - begin);
	truth("is_known", errno != ENOSYS);
	waiters[0].value = 1;
	tell("waitv, changed", syscall(449, waiters, 2, 0, &until, CLOCK_MONOTONIC));
	tell("waitv, none", syscall(449, waiters, 0, 0, &until, CLOCK_MONOTONIC));
}

/* ---- locks ---- */

static volatile int is_held;

static NOINLINE void *hold_lock(void *unused)
{
	(void)unused;
	tell("lock", futex(&pi_lock, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0));
	increment(&is_held);
	BURN(0.1);
	tell("unlock", futex(&pi_lock, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0));
	return NULL;
}

static void locks(int unused)
{
	pthread_t thread;

	(void)unused;
	pthread_create(&thread, NULL, hold_lock, NULL);
	await_raw(&is_held, 1);
	double begin = now();
	tell("lock", futex(&pi_lock, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0));
	truth("waited", now() - begin);
	tell("lock again", futex(&pi_lock, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0));
	tell("unlock", futex(&pi_lock, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0));
	pthread_join(thread, NULL);
}

/* ---- own ---- */

static int word; /* 0: free, 1: taken, 2: others wait, too */

static void own_lock(void)
{
	int seen = 0;

	if (__atomic_compare_exchange_n(&word, &seen, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return;
	while (__atomic_exchange_n(&word, 2, __ATOMIC_SEQ_CST))
		futex(&word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void own_unlock(void)
{
	if (__atomic_exchange_n(&word, 0, __ATOMIC_SEQ_CST) == 2)
		futex(&word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static NOINLINE void *take_own(void *unused)
{
	(void)unused;
	await_raw(&is_held, 1);
	double begin = now();
	own_lock();
	truth("waited", now() - begin);
	own_unlock();
	return NULL;
}

static void own(int unused)
{
	pthread_t thread;

	(void)unused;
	pthread_create(&thread, NULL, take_own, NULL);
	own_lock();
	increment(&is_held);
	BURN(0.2);
	own_unlock();
	pthread_join(thread, NULL);
}

int main(int count, char **arguments)
{
	static const struct futex_kind kinds[] = {
		{"calls", calls}, {"late", late},   {"moved", moved}, {"innocent", innocent},
		{"any", any},     {"locks", locks}, {"own", own},     {NULL, NULL}};

	return futex_kinds_run(kinds, count, arguments);
}
