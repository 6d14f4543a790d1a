/* SPDX-License-Identifier: MIT */
/* A mutex that two threads take without end, so that not every wait for it is measured.
 *
 *   hot shares    each thread holds it alternately for a short time and for nine times as long
 *   hot long      one thread holds it for a tenth of a second now and then
 *   hot jumps     a signal handler jumps out of the other thread's waits, every second time when it
 *                 is asleep, else at any place of the call, or in front of it
 *   hot errors    each thread locks it a second time, of a kind that refuses that
 *   hot turns     both threads take turns by a condition; one of them lets the other wait for a
 *                 tenth of a second now and then
 *   hot posts     one waits for a semaphore that the other posts without end, but for a tenth of a
 *                 second now and then; the late post is followed by the next ones at once
 *
 * Truth: locks: calls of pthread_mutex_lock; shortly, longer: time from one release to the next by
 * the holder, while the other waited; refused: calls with EDEADLK; waited: for the long holder, at
 * least from when the kernel said that the waiter was asleep (it may lose its processor before it
 * waits) to just before the release, at most from before the hold before it until after the
 * release (turns, posts: the same for the late ones); waits: calls of pthread_cond_wait; jumps; asleep: those of them before which the kernel said that the thread was asleep. */
#include "truth.h"

#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>

enum { ROUNDS = 40000, LONG_HOLDS = 4, JUMPS = 200 };

static pthread_mutex_t hot_lock = PTHREAD_MUTEX_INITIALIZER;
static int is_over, is_in, jumped, waiting;
static double shortly, longer, released; /* under the lock */
static double waited_at_least, waited_at_most;
static long waiter; /* its number */
static sigjmp_buf before;

static void work(int amount)
{
	for (volatile int i = 0; i < amount * 1000; i++)
		;
}

static void take(void)
{
	__atomic_add_fetch(&waiting, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&hot_lock);
	__atomic_sub_fetch(&waiting, 1, __ATOMIC_RELAXED);
}

/* The time since the release before, if there was one and somebody waits. */
static void account(double *seconds)
{
	double time = now();

	if (released > 0 && __atomic_load_n(&waiting, __ATOMIC_RELAXED))
		*seconds += time - released;
	released = time;
}

NOINLINE static void hold_shortly(void)
{
	take();
	work(1);
	account(&shortly);
	pthread_mutex_unlock(&hot_lock);
	KEEP;
}

NOINLINE static void hold_longer(void)
{
	take();
	work(9);
	account(&longer);
	pthread_mutex_unlock(&hot_lock);
	KEEP;
}

/* The waiter sleeps for this lock alone. */
static int is_waiter_asleep(void)
{
	return is_asleep_raw(__atomic_load_n(&waiter, __ATOMIC_SEQ_CST));
}

NOINLINE static void hold_for_long(double begin)
{
	pthread_mutex_lock(&hot_lock);
	while (!is_waiter_asleep())
		nap_raw(0.0003);
	double taken = now();
	nap_raw(0.1);
	waited_at_least += now() - taken;
	pthread_mutex_unlock(&hot_lock);
	waited_at_most += now() - begin;
	KEEP;
}

static unsigned long share(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		hold_shortly();
		hold_longer();
	}
	return 2ul * ROUNDS;
}

static void *share_too(void *locks)
{
	*(unsigned long *)locks = share();
	return NULL;
}

static void run_shares(void)
{
	unsigned long others;
	pthread_t thread;

	pthread_create(&thread, NULL, share_too, &others);
	unsigned long own = share();
	pthread_join(thread, NULL);
	truth("locks", (double)(own + others));
	truth("shortly", shortly);
	truth("longer", longer);
}

static void *take_always(void *unused)
{
	__atomic_store_n(&waiter, syscall(SYS_gettid), __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) {
		pthread_mutex_lock(&hot_lock);
		pthread_mutex_unlock(&hot_lock);
	}
	return unused;
}

static void run_long(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, take_always, NULL);
	for (int i = 0; i < LONG_HOLDS; i++) {
		for (int k = 0; k < ROUNDS / 2; k++)
			hold_shortly();
		double begin = now();
		hold_shortly();
		hold_for_long(begin);
	}
	__atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
	pthread_join(thread, NULL);
	truth("waited_at_most", waited_at_most);
	truth("waited_at_least", waited_at_least);
}

static pthread_mutex_t strict_lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *take_twice(void *refused)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&strict_lock);
		*(unsigned long *)refused += pthread_mutex_lock(&strict_lock) == EDEADLK;
		work(1);
		pthread_mutex_unlock(&strict_lock);
	}
	return NULL;
}

static void run_errors(void)
{
	unsigned long refused[2] = {0, 0};
	pthread_t thread;

	pthread_create(&thread, NULL, take_twice, &refused[0]);
	take_twice(&refused[1]);
	pthread_join(thread, NULL);
	truth("refused", (double)(refused[0] + refused[1]));
}

static pthread_cond_t turn_changes = PTHREAD_COND_INITIALIZER;
static unsigned long turn; /* under the lock */
static unsigned long waits[2];

static void await_turn(unsigned long whose)
{
	while (turn % 2 != whose) {
		waits[whose]++;
		pthread_cond_wait(&turn_changes, &hot_lock);
	}
}

NOINLINE static void signal_soon(void)
{
	turn++;
	pthread_cond_signal(&turn_changes);
	KEEP;
}

NOINLINE static void signal_late(void)
{
	double begin = now();
	pthread_mutex_unlock(&hot_lock);
	while (!is_waiter_asleep())
		nap_raw(0.0003);
	double asleep = now();
	nap_raw(0.1);
	pthread_mutex_lock(&hot_lock);
	turn++;
	waited_at_least += now() - asleep;
	pthread_cond_signal(&turn_changes);
	waited_at_most += now() - begin;
	KEEP;
}

static void *take_turns(void *unused)
{
	__atomic_store_n(&waiter, syscall(SYS_gettid), __ATOMIC_SEQ_CST);
	pthread_mutex_lock(&hot_lock);
	for (int i = 0; i < ROUNDS; i++) {
		await_turn(1);
		signal_soon();
	}
	pthread_mutex_unlock(&hot_lock);
	return unused;
}

static void run_turns(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, take_turns, NULL);
	pthread_mutex_lock(&hot_lock);
	for (int i = 0; i < ROUNDS; i++) {
		await_turn(0);
		if (i % (ROUNDS / LONG_HOLDS) == ROUNDS / LONG_HOLDS - 1)
			signal_late();
		else
			signal_soon();
	}
	pthread_mutex_unlock(&hot_lock);
	pthread_join(thread, NULL);
	truth("waits", (double)(waits[0] + waits[1]));
	truth("waited_at_most", waited_at_most);
	truth("waited_at_least", waited_at_least);
}

static sem_t posts;

NOINLINE static void post_soon(void)
{
	sem_post(&posts);
	KEEP;
}

NOINLINE static void post_late(double begin)
{
	while (!is_waiter_asleep())
		nap_raw(0.0003);
	double asleep = now();
	nap_raw(0.1);
	waited_at_least += now() - asleep;
	sem_post(&posts);
	waited_at_most += now() - begin;
	KEEP;
}

static void *take_posts(void *unused)
{
	__atomic_store_n(&waiter, syscall(SYS_gettid), __ATOMIC_SEQ_CST);
	for (int i = 0; i < ROUNDS; i++)
		sem_wait(&posts);
	return unused;
}

static void run_posts(void)
{
	pthread_t thread;
	int taken = 1;

	sem_init(&posts, 0, 0);
	pthread_create(&thread, NULL, take_posts, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		if (i % (ROUNDS / LONG_HOLDS) != ROUNDS / LONG_HOLDS - 1) {
			post_soon();
			work(1);
			continue;
		}
		while (taken > 0) /* the waiter has all of them */
			sem_getvalue(&posts, &taken);
		taken = 1;
		post_late(now());
	}
	pthread_join(thread, NULL);
	truth("waits", ROUNDS);
	truth("waited_at_most", waited_at_most);
	truth("waited_at_least", waited_at_least);
}

static void jump(int number)
{
	(void)number;
	siglongjmp(before, 1);
}

static void *wait_in_vain(void *argument)
{
	__atomic_store_n(&waiter, syscall(SYS_gettid), __ATOMIC_SEQ_CST);
	for (int i = 0; i < ROUNDS; i++)
		hold_shortly();
	__atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
	await_raw(&is_over, 2); /* the other has it now, and keeps it */
	for (volatile int i = 0; i < JUMPS; i++) {
		if (sigsetjmp(before, 1)) {
			__atomic_add_fetch(&jumped, 1, __ATOMIC_SEQ_CST);
			continue;
		}
		__atomic_store_n(&is_in, i + 1, __ATOMIC_SEQ_CST);
		hold_shortly();
	}
	for (int i = 0; i < ROUNDS; i++)
		hold_shortly();
	return argument;
}

static void await(const int *word, int least)
{
	while (__atomic_load_n(word, __ATOMIC_SEQ_CST) < least)
		sched_yield();
}

static void run_jumps(void)
{
	pthread_t thread;
	int asleep = 0;

	signal(SIGUSR1, jump);
	pthread_create(&thread, NULL, wait_in_vain, NULL);
	while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST))
		hold_shortly();
	pthread_mutex_lock(&hot_lock);
	__atomic_store_n(&is_over, 2, __ATOMIC_SEQ_CST);
	for (int i = 0; i < JUMPS; i++) {
		await(&is_in, i + 1);
		double end = now() + 1e-5 * (i % 16 + 1);
		while (now() < end || (i % 2 && !is_waiter_asleep()))
			;
		asleep += is_waiter_asleep();
		pthread_kill(thread, SIGUSR1);
		await(&jumped, i + 1);
	}
	pthread_mutex_unlock(&hot_lock);
	for (int i = 0; i < ROUNDS; i++)
		hold_shortly();
	pthread_join(thread, NULL);
	truth("jumps", jumped);
	truth("asleep", asleep);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "shares";

	(!strcmp(mode, "jumps")    ? run_jumps
	 : !strcmp(mode, "long")   ? run_long
	 : !strcmp(mode, "errors") ? run_errors
	 : !strcmp(mode, "turns")  ? run_turns
	 : !strcmp(mode, "posts")  ? run_posts
				   : run_shares)();
	truth_end();
	return 0;
}
