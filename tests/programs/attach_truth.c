/* SPDX-License-Identifier: MIT */
/* A program to be attached to. Its threads do nothing until `m` is read from stdin, and again after
 * `s`, to which it answers with a line on stdout; at `q`, or the end of stdin, it ends. Truth, of
 * all stretches together: how long `wait_for_gate` waited for `gate` (s), and how often; how often
 * `count_locks` locked `own`; CPU time of `burn_here` (s). A thread is in read() all the time. */
#include "truth.h"

#include <stdbool.h>

enum { PAIRS = 100 };

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static int measuring, ending, resting;
static double waited, burnt;
static long waits, pairs;

static bool is_measuring(void)
{
	return __atomic_load_n(&measuring, __ATOMIC_ACQUIRE);
}

/* False: the program ends. No call that a wrapper sees. */
static bool rest(void)
{
	__atomic_add_fetch(&resting, 1, __ATOMIC_ACQ_REL);
	while (!is_measuring() && !__atomic_load_n(&ending, __ATOMIC_ACQUIRE))
		nap_raw(0.0005);
	__atomic_sub_fetch(&resting, 1, __ATOMIC_ACQ_REL);
	return !__atomic_load_n(&ending, __ATOMIC_ACQUIRE);
}

static NOINLINE void hold_gate(void)
{
	pthread_mutex_lock(&gate);
	nap_raw(0.004);
	pthread_mutex_unlock(&gate);
	nap_raw(0.002);
}

static void *holder(void *unused)
{
	while (rest())
		while (is_measuring())
			hold_gate();
	return unused;
}

static NOINLINE void wait_for_gate(void)
{
	double before = now();

	pthread_mutex_lock(&gate);
	waited += now() - before;
	waits++;
	pthread_mutex_unlock(&gate);
	nap_raw(0.001);
}

static void *waiter(void *unused)
{
	while (rest())
		while (is_measuring())
			wait_for_gate();
	return unused;
}

static NOINLINE void burn_here(void)
{
	double before = cpu();

	BURN(0.005);
	burnt += cpu() - before;
}

static NOINLINE void count_locks(void)
{
	for (int i = 0; i < PAIRS; i++) {
		pthread_mutex_lock(&own);
		pthread_mutex_unlock(&own);
	}
	pairs += PAIRS;
}

static void *burner(void *unused)
{
	while (rest())
		while (is_measuring()) {
			burn_here();
			count_locks();
		}
	return unused;
}

static void *reader(void *pipe_end)
{
	char byte;

	if (read(*(int *)pipe_end, &byte, 1) != 1)
		_exit(98);
	return NULL;
}

int main(void)
{
	enum { WORKERS = 3 };
	void *(*const routines[])(void *) = {holder, waiter, burner, reader};
	pthread_t threads[WORKERS + 1];
	int ends[2];
	char command;

	alarm(100);
	if (pipe(ends))
		return 97;
	for (int i = 0; i <= WORKERS; i++)
		pthread_create(&threads[i], NULL, routines[i], ends);
	while (read(0, &command, 1) == 1 && command != 'q') {
		if (command != 'm' && command != 's')
			continue;
		__atomic_store_n(&measuring, command == 'm', __ATOMIC_RELEASE);
		while (command == 's' && __atomic_load_n(&resting, __ATOMIC_ACQUIRE) < WORKERS)
			nap_raw(0.0005);
		if (write(1, "done\n", 5) != 5)
			return 96;
	}
	__atomic_store_n(&ending, 1, __ATOMIC_RELEASE);
	if (write(ends[1], "x", 1) != 1)
		return 95;
	for (int i = 0; i <= WORKERS; i++)
		pthread_join(threads[i], NULL);
	truth("waited", waited);
	truth("waits", (double)waits);
	truth("pairs", (double)pairs);
	truth("burnt", burnt);
	truth_end();
	return 0;
}
