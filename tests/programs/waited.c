/* SPDX-License-Identifier: MIT */
/* Routines that wait, asleep and spinning, below callers, in recursion, and in company. Truth: how
 * long each was under way, by its own clock. */
#include "truth.h"

enum { DEPTH = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t gate;
static volatile int is_held;
static double late, locked, spun, gated;

static void pause_for(double seconds)
{
	struct timespec t = span(seconds);

	nanosleep(&t, NULL);
}

/* Sleeps, and keeps the locks meanwhile. */
static NOINLINE void *hold_both(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_spin_lock(&spin);
	increment(&is_held);
	pause_for(0.2);
	pthread_mutex_unlock(&lock);
	pause_for(0.2);
	pthread_spin_unlock(&spin);
	pthread_barrier_wait(&gate);
	return unused;
}

static NOINLINE void wait_in_condition(double seconds)
{
	struct timespec until;
	double begin = now();

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += (long)(seconds * 1e9);
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&lock);
	while (!pthread_cond_timedwait(&never, &lock, &until))
		;
	pthread_mutex_unlock(&lock);
	late += now() - begin;
	KEEP;
}

static NOINLINE void compute_and_wait(void)
{
	BURN(0.1);
	wait_in_condition(0.3);
	KEEP;
}

static NOINLINE void wait_again(int depth)
{
	pause_for(0.05);
	if (depth > 1)
		wait_again(depth - 1);
	KEEP;
}

static NOINLINE void wait_for_lock(void)
{
	double begin = now();

	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	locked = now() - begin;
	KEEP;
}

static NOINLINE void wait_spinning(void)
{
	double begin = now();

	pthread_spin_lock(&spin);
	pthread_spin_unlock(&spin);
	spun = now() - begin;
	KEEP;
}

static NOINLINE void wait_at_gate(void)
{
	double begin = now();

	BURN(0.05);
	pthread_barrier_wait(&gate);
	gated = now() - begin;
	KEEP;
}

static NOINLINE void wait_for_holder(void)
{
	pthread_t holder;

	pthread_create(&holder, NULL, hold_both, NULL);
	await_raw(&is_held, 1);
	wait_for_lock();
	wait_spinning();
	wait_at_gate();
	pthread_join(holder, NULL);
	KEEP;
}

int main(void)
{
	double begin = now(), middle, end;

	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_barrier_init(&gate, NULL, 2);
	compute_and_wait();
	truth("compute_and_wait", now() - begin);
	middle = now();
	wait_again(DEPTH);
	truth("wait_again", now() - middle);
	middle = now();
	wait_for_holder();
	end = now();
	truth("wait_for_holder", end - middle);
	truth("wait_in_condition", late);
	truth("wait_for_lock", locked);
	truth("wait_spinning", spun);
	truth("wait_at_gate", gated);
	truth("main", end - begin);
	truth_end();
	return 0;
}
