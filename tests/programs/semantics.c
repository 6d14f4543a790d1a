/* SPDX-License-Identifier: MIT */
/* semantics: what lock calls return where it matters: robust mutexes, error checking, recursion,
 * priorities, sharing between processes, an address used again, misuse. Prints each result. */
#include "truth.h"
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define SAY(call) printf("%s: %d\n", #call, call)

static pthread_mutex_t m;

static void make(pthread_mutex_t *mutex, int type, int robust, int protocol, int shared)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, type);
	pthread_mutexattr_setrobust(&a, robust);
	pthread_mutexattr_setprotocol(&a, protocol);
	pthread_mutexattr_setpshared(&a, shared);
	pthread_mutex_init(mutex, &a);
}

static void *lock_and_die(void *mutex)
{
	pthread_mutex_lock(mutex);
	return NULL;
}

static void *try_other(void *unused)
{
	SAY(pthread_mutex_trylock(&m));
	SAY(pthread_mutex_unlock(&m));
	return unused;
}

static void in_thread(void *(*start)(void *), void *argument)
{
	pthread_t t;
	pthread_create(&t, NULL, start, argument);
	pthread_join(t, NULL);
}

static void robust(int protocol)
{
	struct timespec t = deadline(CLOCK_REALTIME, 0.01);
	make(&m, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, protocol, 0);
	in_thread(lock_and_die, &m);
	SAY(pthread_mutex_lock(&m)); /* EOWNERDEAD */
	SAY(pthread_mutex_consistent(&m));
	SAY(pthread_mutex_unlock(&m));
	in_thread(lock_and_die, &m);
	SAY(pthread_mutex_trylock(&m)); /* EOWNERDEAD */
	SAY(pthread_mutex_consistent(&m));
	SAY(pthread_mutex_unlock(&m));
	in_thread(lock_and_die, &m);
	SAY(pthread_mutex_timedlock(&m, &t)); /* EOWNERDEAD */
	SAY(pthread_mutex_unlock(&m));        /* not made consistent */
	SAY(pthread_mutex_lock(&m)); /* ENOTRECOVERABLE; a trylock before it would hang it */
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_timedlock(&m, &t));
	SAY(pthread_mutex_destroy(&m));
}

static void types(void)
{
	struct timespec t = deadline(CLOCK_REALTIME, 0.01);
	make(&m, PTHREAD_MUTEX_ERRORCHECK, 0, 0, 0);
	SAY(pthread_mutex_unlock(&m)); /* EPERM */
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_lock(&m));          /* EDEADLK */
	SAY(pthread_mutex_trylock(&m));       /* EBUSY */
	SAY(pthread_mutex_timedlock(&m, &t)); /* EDEADLK */
	in_thread(try_other, NULL);
	SAY(pthread_mutex_unlock(&m));
	make(&m, PTHREAD_MUTEX_RECURSIVE, 0, 0, 0);
	for (int i = 0; i < 3; i++)
		SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_trylock(&m));
	in_thread(try_other, NULL);
	for (int i = 0; i < 5; i++)
		SAY(pthread_mutex_unlock(&m)); /* the last one: EPERM */
	unsigned *depth =
		(unsigned *)&m + 1; /* glibc's count: to its limit without 4 * 10^9 calls */
	SAY(pthread_mutex_lock(&m));
	*depth = 0xffffffffu;
	SAY(pthread_mutex_lock(&m));    /* EAGAIN */
	SAY(pthread_mutex_trylock(&m)); /* EAGAIN */
	*depth = 1;
	SAY(pthread_mutex_unlock(&m));
	make(&m, PTHREAD_MUTEX_NORMAL, 0, 0, 0);
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_timedlock(&m, &t)); /* ETIMEDOUT: its own deadlock */
	SAY(pthread_mutex_trylock(&m));
	SAY(pthread_mutex_unlock(&m));
	make(&m, PTHREAD_MUTEX_ERRORCHECK, 0, PTHREAD_PRIO_INHERIT, 0);
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_unlock(&m));
	make(&m, PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_PROTECT, 0);
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_unlock(&m));
	struct timespec bad = {0, 2000000000};
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_timedlock(&m, &bad));
	SAY(pthread_mutex_unlock(&m));
	errno = 77;
	pthread_mutex_lock(&m);
	pthread_mutex_trylock(&m);
	pthread_mutex_unlock(&m);
	printf("errno %d\n", errno);
}

static void rwlocks(void)
{
	pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
	struct timespec t = deadline(CLOCK_REALTIME, 0.01);
	SAY(pthread_rwlock_wrlock(&l));
	SAY(pthread_rwlock_wrlock(&l)); /* EDEADLK */
	SAY(pthread_rwlock_rdlock(&l)); /* EDEADLK */
	SAY(pthread_rwlock_tryrdlock(&l));
	SAY(pthread_rwlock_unlock(&l));
	SAY(pthread_rwlock_rdlock(&l));
	SAY(pthread_rwlock_timedwrlock(&l, &t));
	SAY(pthread_rwlock_unlock(&l));
	sem_t s;
	sem_init(&s, 0, 0);
	SAY(sem_trywait(&s));
	printf("errno %d\n", errno);
	SAY(sem_timedwait(&s, &t));
	printf("errno %d\n", errno);
	pthread_barrier_t b;
	pthread_barrier_init(&b, NULL, 1);
	SAY(pthread_barrier_wait(&b));           /* PTHREAD_BARRIER_SERIAL_THREAD */
	SAY(pthread_join(pthread_self(), NULL)); /* EDEADLK */
	SAY(clock_nanosleep(12345, 0, &t, NULL));
}

struct both {
	pthread_mutex_t lock, strong;
	pthread_cond_t turned;
	sem_t sem;
	int count, turn;
};

static void shared(void)
{
	struct both *s =
		mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_condattr_t a;
	pthread_condattr_init(&a);
	pthread_condattr_setpshared(&a, 1);
	pthread_cond_init(&s->turned, &a);
	make(&s->lock, PTHREAD_MUTEX_NORMAL, 0, 0, PTHREAD_PROCESS_SHARED);
	make(&s->strong, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, 0, PTHREAD_PROCESS_SHARED);
	sem_init(&s->sem, 1, 0);
	pid_t child = fork();
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&s->lock);
		s->count++;
		pthread_mutex_unlock(&s->lock);
	}
	for (int i = 0; i < 50; i++) {
		pthread_mutex_lock(&s->lock);
		while (s->turn != !child)
			pthread_cond_wait(&s->turned, &s->lock);
		s->turn = !s->turn;
		pthread_cond_broadcast(&s->turned);
		pthread_mutex_unlock(&s->lock);
	}
	if (child == 0) {
		pthread_mutex_lock(&s->strong);
		sem_post(&s->sem);
		_exit(0); /* dies as its owner */
	}
	sem_wait(&s->sem);
	waitpid(child, NULL, 0);
	SAY(pthread_mutex_lock(&s->strong));
	SAY(pthread_mutex_consistent(&s->strong));
	SAY(pthread_mutex_unlock(&s->strong));
	printf("%d\n", s->count);
}

static void *lock_often(void *mutex)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(mutex);
		pthread_mutex_unlock(mutex);
	}
	return NULL;
}

/* One address is 300 mutexes, one after the other, then a read-write lock, then a semaphore. */
static void reuse(void)
{
	union {
		pthread_mutex_t m;
		pthread_rwlock_t l;
		sem_t s;
	} *place = malloc(sizeof *place);
	for (int i = 0; i < 300; i++) {
		pthread_t t;
		pthread_mutex_init(&place->m, NULL);
		pthread_create(&t, NULL, lock_often, &place->m);
		lock_often(&place->m);
		pthread_join(t, NULL);
		pthread_mutex_destroy(&place->m);
	}
	pthread_rwlock_init(&place->l, NULL);
	SAY(pthread_rwlock_wrlock(&place->l));
	SAY(pthread_rwlock_unlock(&place->l));
	pthread_rwlock_destroy(&place->l);
	sem_init(&place->s, 0, 1);
	SAY(sem_wait(&place->s));
	for (int i = 0; i < 20000; i++) { /* more mutexes than any table holds */
		pthread_mutex_t *one = malloc(sizeof *one);
		pthread_mutex_init(one, NULL);
		pthread_mutex_lock(one);
		pthread_mutex_unlock(one);
		if (i % 2)
			free(one); /* and without destroy */
	}
	free(place);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	if (!strcmp(kind, "robust"))
		robust(PTHREAD_PRIO_NONE), robust(PTHREAD_PRIO_INHERIT);
	else if (!strcmp(kind, "types"))
		types();
	else if (!strcmp(kind, "rwlocks"))
		rwlocks();
	else if (!strcmp(kind, "shared"))
		shared();
	else if (!strcmp(kind, "reuse"))
		reuse();
	else
		return 2;
	return 0;
}
