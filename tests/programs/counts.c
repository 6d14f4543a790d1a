/* SPDX-License-Identifier: MIT */
/* counts [LOCKS]: every wrapped call, from three threads. Truth: how often each operation was
 * called, by the operation's name in preload/file/vocabulary.h, and how often mutexes were unlocked
 * (UNLOCKS). */
#include "truth.h"
#include "../../preload/file/vocabulary.h"
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <threads.h>

enum { THREADS = 3 };
static long counts[OP_COUNT], unlocks, locks = 20000;
#define DO(operation, call)                                                                        \
	(__atomic_add_fetch(&counts[OP_##operation], 1, __ATOMIC_RELAXED), (call))
/* TICK: for a call without a result. */
#define TICK(operation) __atomic_add_fetch(&counts[OP_##operation], 1, __ATOMIC_RELAXED)
#define UNLOCK(call)    (__atomic_add_fetch(&unlocks, 1, __ATOMIC_RELAXED), (call))
#define NEAR(id)        &(struct timespec[]){deadline(id, 0.002)}[0]
#define FAR(id)         &(struct timespec[]){deadline(id, 20)}[0]

static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t meeting;

static void mutex_of_type(int type)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t m;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, type);
	DO(MUTEX_INIT, pthread_mutex_init(&m, &attr));
	for (int i = 0; i < 5; i++) {
		DO(MUTEX_LOCK, pthread_mutex_lock(&m));
		if (DO(MUTEX_TRYLOCK, pthread_mutex_trylock(&m)) == 0)
			UNLOCK(pthread_mutex_unlock(&m));
		UNLOCK(pthread_mutex_unlock(&m));
		DO(MUTEX_TIMEDLOCK, pthread_mutex_timedlock(&m, FAR(CLOCK_REALTIME)));
		UNLOCK(pthread_mutex_unlock(&m));
		DO(MUTEX_TIMEDLOCK,
		   pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, FAR(CLOCK_MONOTONIC)));
		UNLOCK(pthread_mutex_unlock(&m));
	}
	DO(MUTEX_DESTROY, pthread_mutex_destroy(&m));
}

static void mutexes(void)
{
	for (long i = 0; i < locks; i++) {
		DO(MUTEX_LOCK, pthread_mutex_lock(&shared_lock));
		UNLOCK(pthread_mutex_unlock(&shared_lock));
	}
	mutex_of_type(PTHREAD_MUTEX_NORMAL);
	mutex_of_type(PTHREAD_MUTEX_RECURSIVE);
	mutex_of_type(PTHREAD_MUTEX_ERRORCHECK);
	mutex_of_type(PTHREAD_MUTEX_ADAPTIVE_NP);
}

static void rwlocks(void)
{
	pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
	for (int i = 0; i < 7; i++) {
		DO(RWLOCK_READ, pthread_rwlock_rdlock(&l));
		DO(RWLOCK_TRYREAD, pthread_rwlock_tryrdlock(&l));
		DO(RWLOCK_TIMEDREAD, pthread_rwlock_timedrdlock(&l, FAR(CLOCK_REALTIME)));
		DO(RWLOCK_TIMEDREAD,
		   pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, FAR(CLOCK_MONOTONIC)));
		DO(RWLOCK_TRYWRITE, pthread_rwlock_trywrlock(&l)); /* fails */
		DO(RWLOCK_TIMEDWRITE,
		   pthread_rwlock_timedwrlock(&l, NEAR(CLOCK_REALTIME))); /* fails */
		for (int j = 0; j < 4; j++)
			DO(RWLOCK_UNLOCK, pthread_rwlock_unlock(&l));
		DO(RWLOCK_WRITE, pthread_rwlock_wrlock(&l));
		DO(RWLOCK_TRYREAD, pthread_rwlock_tryrdlock(&l)); /* fails */
		DO(RWLOCK_UNLOCK, pthread_rwlock_unlock(&l));
		DO(RWLOCK_TRYWRITE, pthread_rwlock_trywrlock(&l));
		DO(RWLOCK_UNLOCK, pthread_rwlock_unlock(&l));
		DO(RWLOCK_TIMEDWRITE,
		   pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, FAR(CLOCK_MONOTONIC)));
		DO(RWLOCK_UNLOCK, pthread_rwlock_unlock(&l));
	}
}

static void spins(void)
{
	pthread_spinlock_t l;
	pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
	for (int i = 0; i < 100; i++) {
		DO(SPIN_LOCK, pthread_spin_lock(&l));
		DO(SPIN_TRYLOCK, pthread_spin_trylock(&l));
		DO(SPIN_UNLOCK, pthread_spin_unlock(&l));
	}
}

static void conditions(void)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	DO(MUTEX_LOCK, pthread_mutex_lock(&m));
	for (int i = 0; i < 3; i++) {
		DO(COND_TIMEDWAIT, pthread_cond_timedwait(&c, &m, NEAR(CLOCK_REALTIME)));
		DO(COND_TIMEDWAIT,
		   pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, NEAR(CLOCK_MONOTONIC)));
		DO(COND_SIGNAL, pthread_cond_signal(&c));
		DO(COND_BROADCAST, pthread_cond_broadcast(&c));
	}
	UNLOCK(pthread_mutex_unlock(&m));
}

static void semaphores(int number)
{
	char name[64];
	sem_t s;
	sem_init(&s, 0, 0);
	snprintf(name, sizeof name, "/counts-%d-%d", (int)getpid(), number);
	sem_t *named = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
	sem_unlink(name);
	for (int i = 0; i < 11; i++) {
		sem_t *one = i % 2 && named != SEM_FAILED ? named : &s;
		for (int j = 0; j < 4; j++)
			DO(SEM_POST, sem_post(one));
		DO(SEM_WAIT, sem_wait(one));
		DO(SEM_TRYWAIT, sem_trywait(one));
		DO(SEM_TIMEDWAIT, sem_timedwait(one, FAR(CLOCK_REALTIME)));
		DO(SEM_TIMEDWAIT, sem_clockwait(one, CLOCK_MONOTONIC, FAR(CLOCK_MONOTONIC)));
		DO(SEM_TRYWAIT, sem_trywait(one));                           /* fails */
		DO(SEM_TIMEDWAIT, sem_timedwait(one, NEAR(CLOCK_REALTIME))); /* fails */
	}
}

static void nothing(void)
{
}

static void onces_and_sleeps(void)
{
	pthread_once_t control = PTHREAD_ONCE_INIT;
	once_flag flag = ONCE_FLAG_INIT;
	struct timespec t = {0, 100000};
	for (int i = 0; i < 3; i++) {
		DO(ONCE, pthread_once(&control, nothing));
		DO(ONCE, call_once(&flag, nothing));
		DO(NANOSLEEP, nanosleep(&t, NULL));
		DO(CLOCK_NANOSLEEP, clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL));
		DO(USLEEP, usleep(100));
		DO(YIELD, sched_yield());
		TICK(YIELD);
		thrd_yield();
	}
	DO(SLEEP, sleep(0));
}

static void *leave(void *unused)
{
	DO(SETNAME, pthread_setname_np(pthread_self(), "leaver"));
	TICK(EXIT);
	pthread_exit(unused);
}

static int leave_c11(void *unused)
{
	(void)unused;
	TICK(EXIT);
	thrd_exit(7);
}

static void *sleeper(void *unused)
{
	struct timespec t = {0, 20000000};
	DO(NANOSLEEP, nanosleep(&t, NULL));
	return unused;
}

/* Lasts until it may end, however long who wants it to be there is kept from a processor. */
static void *patient(void *may_end)
{
	struct timespec t = {0, 20000000};
	DO(NANOSLEEP, nanosleep(&t, NULL));
	await_raw(may_end, 1);
	return NULL;
}

static void *cancelled(void *unused)
{
	for (;;)
		DO(PAUSE, pause());
	return unused;
}

static void threads(void)
{
	pthread_t t;
	thrd_t c11;
	int may_end = 0;
	DO(CREATE, pthread_create(&t, NULL, leave, NULL));
	DO(JOIN, pthread_join(t, NULL));
	DO(CREATE, pthread_create(&t, NULL, leave, NULL));
	DO(DETACH, pthread_detach(t));
	DO(CREATE, pthread_create(&t, NULL, sleeper, NULL));
	while (DO(TRYJOIN, pthread_tryjoin_np(t, NULL)))
		DO(USLEEP, usleep(2000));
	DO(CREATE, pthread_create(&t, NULL, patient, &may_end));
	DO(TIMEDJOIN, pthread_timedjoin_np(t, NULL, NEAR(CLOCK_REALTIME))); /* fails */
	__atomic_store_n(&may_end, 1, __ATOMIC_SEQ_CST);
	DO(TIMEDJOIN, pthread_clockjoin_np(t, NULL, CLOCK_MONOTONIC, FAR(CLOCK_MONOTONIC)));
	DO(CREATE, pthread_create(&t, NULL, cancelled, NULL));
	DO(CANCEL, pthread_cancel(t));
	DO(JOIN, pthread_join(t, NULL));
	DO(CREATE, thrd_create(&c11, leave_c11, NULL));
	DO(JOIN, thrd_join(c11, NULL));
	DO(CREATE, thrd_create(&c11, leave_c11, NULL));
	DO(DETACH, thrd_detach(c11));
}

static void c11_locks(void)
{
	mtx_t m;
	cnd_t c;
	DO(MUTEX_INIT, mtx_init(&m, mtx_timed));
	cnd_init(&c);
	for (int i = 0; i < 4; i++) {
		DO(MUTEX_LOCK, mtx_lock(&m));
		DO(MUTEX_TRYLOCK, mtx_trylock(&m)); /* fails */
		DO(COND_TIMEDWAIT, cnd_timedwait(&c, &m, NEAR(CLOCK_REALTIME)));
		DO(COND_SIGNAL, cnd_signal(&c));
		DO(COND_BROADCAST, cnd_broadcast(&c));
		UNLOCK(mtx_unlock(&m));
		DO(MUTEX_TIMEDLOCK, mtx_timedlock(&m, FAR(CLOCK_REALTIME)));
		UNLOCK(mtx_unlock(&m));
	}
	cnd_destroy(&c);
	TICK(MUTEX_DESTROY);
	mtx_destroy(&m);
}

static void sigwaits(void)
{
	sigset_t set;
	int number;
	struct timespec t = {0, 1000000};
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < 3; i++) {
		pthread_kill(pthread_self(), SIGUSR1);
		DO(SIGWAIT, sigwait(&set, &number));
		pthread_kill(pthread_self(), SIGUSR1);
		DO(SIGWAIT, sigwaitinfo(&set, NULL));
		DO(SIGTIMEDWAIT, sigtimedwait(&set, NULL, &t)); /* fails */
	}
}

static void *worker(void *number)
{
	mutexes();
	rwlocks();
	spins();
	conditions();
	semaphores((int)(long)number);
	onces_and_sleeps();
	threads();
	c11_locks();
	sigwaits();
	for (int i = 0; i < 10; i++)
		DO(BARRIER_WAIT, pthread_barrier_wait(&meeting));
	return NULL;
}

/* cond_wait and cnd_wait: two threads take turns, so that the number of waits is known to each. */
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static cnd_t turned_c11;
static mtx_t lock_c11;
static int turn, turn_c11;

static void *ping_pong(void *number)
{
	int me = (int)(long)number;
	for (int i = 0; i < 100; i++) {
		DO(MUTEX_LOCK, pthread_mutex_lock(&shared_lock));
		while (turn != me)
			DO(COND_WAIT, pthread_cond_wait(&turned, &shared_lock));
		turn = !me;
		DO(COND_SIGNAL, pthread_cond_signal(&turned));
		UNLOCK(pthread_mutex_unlock(&shared_lock));
	}
	for (int i = 0; i < 50; i++) {
		DO(MUTEX_LOCK, mtx_lock(&lock_c11));
		while (turn_c11 != me)
			DO(COND_WAIT, cnd_wait(&turned_c11, &lock_c11));
		turn_c11 = !me;
		DO(COND_SIGNAL, cnd_signal(&turned_c11));
		UNLOCK(mtx_unlock(&lock_c11));
	}
	return NULL;
}

static void together(int number, void *(*start)(void *))
{
	pthread_t t[THREADS];
	for (int i = 0; i < number; i++)
		DO(CREATE, pthread_create(&t[i], NULL, start, (void *)(long)i));
	for (int i = 0; i < number; i++)
		DO(JOIN, pthread_join(t[i], NULL));
}

int main(int argc, char **argv)
{
	if (argc > 1)
		locks = atol(argv[1]);
	pthread_barrier_init(&meeting, NULL, THREADS);
	DO(MUTEX_INIT, mtx_init(&lock_c11, mtx_plain));
	cnd_init(&turned_c11);
	together(THREADS, worker);
	together(2, ping_pong);
	nap_raw(0.05); /* detached threads end */
#define SAY(name, call, kind, text) truth(#name, (double)counts[OP_##name]);
	OPERATION_LIST(SAY)
	truth("UNLOCKS", (double)unlocks);
	truth_end();
	return 0;
}
