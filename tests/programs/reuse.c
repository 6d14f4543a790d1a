/* SPDX-License-Identifier: MIT */
/* reuse KIND: one address on the heap is two objects one after the other: the first, for 30 calls
 * of each of two threads, is initialised by make_first and destroyed, the second, for 50 calls, is
 * initialised by make_second. KIND ending in "_again": the first one is not destroyed. Truth:
 * first, second: calls in each life. */
#include "truth.h"
#include <semaphore.h>
#include <stdbool.h>
#include <threads.h>

static union {
	pthread_mutex_t mutex;
	mtx_t c11_mutex;
	pthread_rwlock_t rwlock;
	pthread_spinlock_t spin;
	pthread_cond_t condition;
	cnd_t c11_condition;
	pthread_barrier_t barrier;
	sem_t semaphore;
} * it;
static volatile int begun, done;
static int uses[2] = {30, 50};

/* KIND(name, how it is made, used, destroyed) */
#define KIND(name, make, use, end)                                                                 \
	static NOINLINE void name##_first(void)                                                    \
	{                                                                                          \
		make;                                                                              \
		KEEP;                                                                              \
	}                                                                                          \
	static NOINLINE void name##_second(void)                                                   \
	{                                                                                          \
		make;                                                                              \
		KEEP;                                                                              \
	}                                                                                          \
	static void name##_use(void)                                                               \
	{                                                                                          \
		use;                                                                               \
	}                                                                                          \
	static void name##_end(void)                                                               \
	{                                                                                          \
		end;                                                                               \
	}

KIND(mutex, pthread_mutex_init(&it->mutex, NULL), pthread_mutex_lock(&it->mutex);
     pthread_mutex_unlock(&it->mutex), pthread_mutex_destroy(&it->mutex))
KIND(c11mutex, mtx_init(&it->c11_mutex, mtx_plain), mtx_lock(&it->c11_mutex);
     mtx_unlock(&it->c11_mutex), mtx_destroy(&it->c11_mutex))
KIND(rwlock, pthread_rwlock_init(&it->rwlock, NULL), pthread_rwlock_wrlock(&it->rwlock);
     pthread_rwlock_unlock(&it->rwlock), pthread_rwlock_destroy(&it->rwlock))
KIND(spin, pthread_spin_init(&it->spin, PTHREAD_PROCESS_PRIVATE), pthread_spin_lock(&it->spin);
     pthread_spin_unlock(&it->spin), pthread_spin_destroy(&it->spin))
KIND(condition, pthread_cond_init(&it->condition, NULL), pthread_cond_signal(&it->condition),
     pthread_cond_destroy(&it->condition))
KIND(c11condition, cnd_init(&it->c11_condition), cnd_signal(&it->c11_condition),
     cnd_destroy(&it->c11_condition))
KIND(barrier, pthread_barrier_init(&it->barrier, NULL, 2), pthread_barrier_wait(&it->barrier),
     pthread_barrier_destroy(&it->barrier))
KIND(semaphore, sem_init(&it->semaphore, 0, 0), sem_post(&it->semaphore),
     sem_destroy(&it->semaphore))

#define ROW(name)                                                                                  \
	{                                                                                          \
#name, {name##_first, name##_second }, name##_use, name##_end                      \
	}
static const struct kind {
	const char *name;
	void (*make[2])(void), (*use)(void), (*end)(void);
} kinds[] = {ROW(mutex),     ROW(c11mutex),     ROW(rwlock),  ROW(spin),
	     ROW(condition), ROW(c11condition), ROW(barrier), ROW(semaphore)};

static void use(const struct kind *kind, int life)
{
	for (int i = 0; i < uses[life]; i++)
		kind->use();
	increment(&done);
}

static void *beside(void *kind)
{
	for (int life = 0; life < 2; life++) {
		await_raw(&begun, life + 1);
		use(kind, life);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const struct kind *kind = NULL;
	pthread_t thread;

	for (unsigned i = 0; argc == 2 && i < sizeof kinds / sizeof *kinds; i++)
		if (strncmp(argv[1], kinds[i].name, strcspn(argv[1], "_")) == 0 &&
		    strlen(kinds[i].name) == strcspn(argv[1], "_"))
			kind = &kinds[i];
	if (!kind)
		return 2;
	bool is_again = strchr(argv[1], '_');
	it = malloc(sizeof *it);
	pthread_create(&thread, NULL, beside, (void *)kind);
	for (int life = 0; life < 2; life++) {
		kind->make[life]();
		increment(&begun);
		use(kind, life);
		await_raw(&done, 2 * (life + 1));
		if (life || !is_again)
			kind->end();
	}
	pthread_join(thread, NULL);
	free(it);
	truth("first", 2 * uses[0]);
	truth("second", 2 * uses[1]);
	truth_end();
	return 0;
}
