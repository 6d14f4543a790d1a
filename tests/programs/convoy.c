/* SPDX-License-Identifier: MIT */
/* convoy SCENE WAITERS: one culprit holds an object for a tenth of a second after all others have
 * begun to wait for it; each of them holds it for an instant only, one after the other, and so
 * keeps those behind it waiting for next to nothing. Truth: the waiters' time (waited), and how
 * much of that had passed when the culprit released the object (least): all of it is the culprit's.
 * In scene woken, where the culprit is the first one to wake: what the others waited from then on
 * until it released the object (kept). */
#include "truth.h"
#include <semaphore.h>
#include <stdbool.h>
#include <threads.h>

#define HELD 0.1

static volatile int arrived;
static int waiters;
static const struct scene {
	const char *name;
	void (*culprit)(void), (*victim)(void);
} * scene;
static pthread_t threads[1000];
static double given, woken, waited, begun;
static volatile bool is_over;

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive, checked, inherit;
static mtx_t c11;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t one;
static pthread_mutex_t around = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static int tokens;
static pthread_barrier_t meeting;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void come(void)
{
	increment(&arrived);
}

static void *wait_behind(void *unused);

static void call_others(void)
{
	for (int i = 0; i < waiters; i++)
		pthread_create(&threads[i], NULL, wait_behind, NULL);
	await_raw(&arrived, waiters);
}

/* The culprit has it; the others come, and then a tenth of a second passes. */
static void keep(void)
{
	if (!arrived)
		call_others();
	nap_raw(HELD);
	given = now();
}

/* SCENE(name, how the culprit takes it, how it gives it back, what the others do) */
#define SCENE(name, take, give, others)                                                            \
	static NOINLINE void name##_culprit(void)                                                  \
	{                                                                                          \
		take;                                                                              \
		keep();                                                                            \
		give;                                                                              \
		KEEP;                                                                              \
	}                                                                                          \
	static NOINLINE void name##_victim(void)                                                   \
	{                                                                                          \
		others;                                                                            \
		KEEP;                                                                              \
	}
#define LOCKED(name, lock, unlock) SCENE(name, lock, unlock, come(); lock; unlock)

LOCKED(mutex, pthread_mutex_lock(&plain), pthread_mutex_unlock(&plain))
LOCKED(checked, pthread_mutex_lock(&checked), pthread_mutex_unlock(&checked))
LOCKED(inherit, pthread_mutex_lock(&inherit), pthread_mutex_unlock(&inherit))
LOCKED(c11, mtx_lock(&c11), mtx_unlock(&c11))
LOCKED(writers, pthread_rwlock_wrlock(&table), pthread_rwlock_unlock(&table))
LOCKED(spin, pthread_spin_lock(&spin), pthread_spin_unlock(&spin))
LOCKED(semaphore, sem_wait(&one), sem_post(&one))
SCENE(readers, pthread_rwlock_wrlock(&table), pthread_rwlock_unlock(&table), come();
      pthread_rwlock_rdlock(&table); pthread_rwlock_unlock(&table))
SCENE(reader, pthread_rwlock_rdlock(&table), pthread_rwlock_unlock(&table), come();
      pthread_rwlock_wrlock(&table); pthread_rwlock_unlock(&table))
SCENE(barrier, , pthread_barrier_wait(&meeting), come(); pthread_barrier_wait(&meeting))

/* An inner unlock lets nobody in. */
static NOINLINE void unlock_inside(void)
{
	pthread_mutex_lock(&recursive);
	keep();
	pthread_mutex_unlock(&recursive);
	KEEP;
}
SCENE(recursive, pthread_mutex_lock(&recursive), unlock_inside();
      pthread_mutex_unlock(&recursive), come(); pthread_mutex_lock(&recursive);
      pthread_mutex_unlock(&recursive))

/* Readers come and go all the time; only the culprit was there before the writers came. */
static NOINLINE void shared_passer(void)
{
	pthread_rwlock_rdlock(&table);
	nap_raw(0.0005);
	pthread_rwlock_unlock(&table);
	KEEP;
}
SCENE(shared, pthread_rwlock_rdlock(&table), pthread_rwlock_unlock(&table); is_over = true, come();
      pthread_rwlock_wrlock(&table); pthread_rwlock_unlock(&table))

static void *pass(void *unused)
{
	while (!is_over)
		shared_passer();
	return unused;
}

/* Each that was signalled signals the next one. */
static void await_token(void)
{
	pthread_mutex_lock(&around);
	come();
	while (!tokens)
		pthread_cond_wait(&news, &around);
	tokens--;
}
static NOINLINE void pass_token(void)
{
	tokens++;
	pthread_cond_signal(&news);
	pthread_mutex_unlock(&around);
	KEEP;
}
SCENE(signals, , pthread_mutex_lock(&around); tokens++; pthread_cond_signal(&news);
      pthread_mutex_unlock(&around), await_token(); pass_token())
SCENE(broadcast, , pthread_mutex_lock(&around); tokens = waiters; pthread_cond_broadcast(&news);
      pthread_mutex_unlock(&around), await_token(); pthread_mutex_unlock(&around))

/* The culprit broadcasts, and keeps the mutex. */
SCENE(kept, call_others(); pthread_mutex_lock(&around); tokens = waiters;
      pthread_cond_broadcast(&news), pthread_mutex_unlock(&around), await_token();
      pthread_mutex_unlock(&around))

/* The first one that wakes keeps the mutex from the others. */
static NOINLINE void woken_waker(void)
{
	call_others();
	nap_raw(HELD);
	pthread_mutex_lock(&around);
	tokens = waiters;
	pthread_cond_broadcast(&news);
	pthread_mutex_unlock(&around);
	woken = now(); /* the culprit has the mutex from then on, if not before */
	KEEP;
}
static NOINLINE void woken_culprit(void)
{
	nap_raw(HELD);
	given = now();
	pthread_mutex_unlock(&around);
	KEEP;
}
static NOINLINE void woken_victim(void)
{
	await_token();
	if (tokens == waiters - 1)
		woken_culprit();
	else
		pthread_mutex_unlock(&around);
	KEEP;
}

static void once_init(void)
{
	keep();
}
static NOINLINE void once_culprit(void)
{
	pthread_once(&once, once_init);
	KEEP;
}
static NOINLINE void once_victim(void)
{
	come();
	pthread_once(&once, once_init);
	KEEP;
}

#define ROW(name)                                                                                  \
	{                                                                                          \
#name, name##_culprit, name##_victim                                               \
	}
static const struct scene scenes[] = {ROW(mutex),
				      ROW(checked),
				      ROW(inherit),
				      ROW(c11),
				      ROW(recursive),
				      ROW(writers),
				      ROW(readers),
				      ROW(reader),
				      ROW(shared),
				      ROW(spin),
				      ROW(semaphore),
				      ROW(signals),
				      ROW(broadcast),
				      ROW(kept),
				      ROW(barrier),
				      ROW(once),
				      {"woken", woken_waker, woken_victim}};

static void *wait_behind(void *unused)
{
	double begin = now();
	scene->victim();
	double time = now() - begin;
	pthread_mutex_lock(&guard);
	waited += time;
	begun += begin;
	pthread_mutex_unlock(&guard);
	return unused;
}

static void make(pthread_mutex_t *mutex, int type, int protocol)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutex_init(mutex, &attributes);
}

int main(int argc, char **argv)
{
	pthread_t passers[2];

	for (unsigned i = 0; argc == 3 && i < sizeof scenes / sizeof *scenes; i++)
		if (strcmp(argv[1], scenes[i].name) == 0)
			scene = &scenes[i];
	waiters = argc == 3 ? atoi(argv[2]) : 0;
	if (!scene || waiters < 1 || waiters > 1000)
		return 2;
	make(&recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE);
	make(&checked, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE);
	make(&inherit, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT);
	mtx_init(&c11, mtx_plain);
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	sem_init(&one, 0, 1);
	pthread_barrier_init(&meeting, NULL, (unsigned)waiters + 1);
	bool is_shared = strcmp(scene->name, "shared") == 0;
	for (int i = 0; is_shared && i < 2; i++)
		pthread_create(&passers[i], NULL, pass, NULL);
	scene->culprit();
	for (int i = 0; i < waiters; i++)
		pthread_join(threads[i], NULL);
	is_over = true;
	for (int i = 0; is_shared && i < 2; i++)
		pthread_join(passers[i], NULL);
	truth("waited", waited);
	truth("least", waiters * given - begun);
	truth("kept", woken ? (waiters - 1) * (given - woken) : 0);
	truth_end();
	return 0;
}
