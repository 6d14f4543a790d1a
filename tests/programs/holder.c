/* SPDX-License-Identifier: MIT */
/* holder KIND WAITERS: two holders hold an object for known times, in the ratio 1:3, while WAITERS
 * wait. Truth: the waiters' time, as they measured it, for each holder, and how much of it is
 * certainly the holder's; the line of each holder and of the waiter. */
#include "truth.h"
#include <fcntl.h>
#include <semaphore.h>
#include <threads.h>

static volatile int held, arrived, finished, waiters, round_number;
static double waited[2], given[2],
	begins[2], /* given: when the thing was given back; begins: sums of when waits began */
	delays[2]; /* for how long waiters had no processor from then on, in sum */
static pthread_mutex_t waited_guard = PTHREAD_MUTEX_INITIALIZER;

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive_lock, checked_lock, inherit_lock, *heap_lock;
static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t *heap_table_lock;
static pthread_spinlock_t short_lock;
static sem_t items;
static pthread_mutex_t news_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static int news_number;
static pthread_barrier_t meeting;
static pthread_once_t once_controls[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static mtx_t c11_lock;

/* Holding lasts the given time after all waiters have come. */
#define HOLD(seconds)                                                                              \
	do {                                                                                       \
		increment(&held);                                                                  \
		await_raw(&arrived, (round_number + 1) * waiters);                                 \
		SPIN(seconds);                                                                     \
		given[round_number] = now();                                                       \
	} while (0)

/* The lock that people have most, line by line: 0 short, 1 long, 2 the waiter. */
static int mutex_lines[3];

static NOINLINE void mutex_short(void)
{
	pthread_mutex_lock(&queue_lock);
	HOLD(0.06);
	__atomic_store_n(&mutex_lines[0], __LINE__ + 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&queue_lock);
	KEEP;
}

static NOINLINE void mutex_long(void)
{
	pthread_mutex_lock(&queue_lock);
	HOLD(0.18);
	__atomic_store_n(&mutex_lines[1], __LINE__ + 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&queue_lock);
	KEEP;
}

static NOINLINE void mutex_wait(void)
{
	__atomic_store_n(&mutex_lines[2], __LINE__ + 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&queue_lock);
	KEEP;
	pthread_mutex_unlock(&queue_lock);
	KEEP;
}

/* SCENE(name, how the holder takes it, how it gives it back, what a waiter does) */
#define SCENE(name, take, give, wait)                                                              \
	static int name##_lines[3] = {__LINE__, __LINE__, __LINE__};                               \
	static NOINLINE void name##_short(void)                                                    \
	{                                                                                          \
		take;                                                                              \
		HOLD(0.06);                                                                        \
		give;                                                                              \
		KEEP;                                                                              \
	}                                                                                          \
	static NOINLINE void name##_long(void)                                                     \
	{                                                                                          \
		take;                                                                              \
		HOLD(0.18);                                                                        \
		give;                                                                              \
		KEEP;                                                                              \
	}                                                                                          \
	static NOINLINE void name##_wait(void)                                                     \
	{                                                                                          \
		wait;                                                                              \
		KEEP;                                                                              \
	}

#define PLAIN(name, lock)                                                                          \
	SCENE(name, pthread_mutex_lock(lock), pthread_mutex_unlock(lock),                          \
	      pthread_mutex_lock(lock);                                                            \
	      pthread_mutex_unlock(lock))

static void give_news(void)
{
	pthread_mutex_lock(&news_lock);
	news_number = round_number + 1;
	pthread_mutex_unlock(&news_lock);
}

static void post_items(void)
{
	for (int i = 0; i < waiters; i++)
		sem_post(&items);
}

static void await_news(int number)
{
	pthread_mutex_lock(&news_lock);
	while (news_number < number)
		pthread_cond_wait(&news, &news_lock);
	pthread_mutex_unlock(&news_lock);
}

PLAIN(heap, heap_lock)
PLAIN(recursive, &recursive_lock)
PLAIN(checked, &checked_lock)
PLAIN(inherit, &inherit_lock)
SCENE(timed, pthread_mutex_lock(&queue_lock), pthread_mutex_unlock(&queue_lock),
      struct timespec t = deadline(CLOCK_REALTIME, 30);
      pthread_mutex_timedlock(&queue_lock, &t); pthread_mutex_unlock(&queue_lock))
SCENE(clocked, pthread_mutex_lock(&queue_lock), pthread_mutex_unlock(&queue_lock),
      struct timespec t = deadline(CLOCK_MONOTONIC, 30);
      pthread_mutex_clocklock(&queue_lock, CLOCK_MONOTONIC, &t); pthread_mutex_unlock(&queue_lock))
SCENE(c11, mtx_lock(&c11_lock), mtx_unlock(&c11_lock), mtx_lock(&c11_lock); mtx_unlock(&c11_lock))
SCENE(readers, pthread_rwlock_wrlock(&table_lock), pthread_rwlock_unlock(&table_lock),
      pthread_rwlock_rdlock(&table_lock);
      pthread_rwlock_unlock(&table_lock))
SCENE(writers, pthread_rwlock_rdlock(&table_lock), pthread_rwlock_unlock(&table_lock),
      pthread_rwlock_wrlock(&table_lock);
      pthread_rwlock_unlock(&table_lock))
SCENE(heap_readers, pthread_rwlock_wrlock(heap_table_lock), pthread_rwlock_unlock(heap_table_lock),
      pthread_rwlock_rdlock(heap_table_lock);
      pthread_rwlock_unlock(heap_table_lock))
SCENE(spin, pthread_spin_lock(&short_lock), pthread_spin_unlock(&short_lock),
      pthread_spin_lock(&short_lock);
      pthread_spin_unlock(&short_lock))
SCENE(semaphore, , post_items(), sem_wait(&items))
SCENE(condition, , give_news(); pthread_cond_broadcast(&news), await_news(round_number + 1))
SCENE(barrier, , pthread_barrier_wait(&meeting), pthread_barrier_wait(&meeting))

static int once_lines[3];
static NOINLINE void once_init_short(void)
{
	HOLD(0.06);
}
static NOINLINE void once_init_long(void)
{
	HOLD(0.18);
}
static void nothing(void)
{
	abort();
}
static NOINLINE void once_short(void)
{
	pthread_once(&once_controls[0], once_init_short);
	KEEP;
}
static NOINLINE void once_long(void)
{
	pthread_once(&once_controls[1], once_init_long);
	KEEP;
}
static NOINLINE void once_wait(void)
{
	pthread_once(&once_controls[round_number], nothing);
	KEEP;
}

static NOINLINE void make_lock(void)
{
	heap_lock = malloc(sizeof *heap_lock);
	pthread_mutex_init(heap_lock, NULL);
	heap_table_lock = malloc(sizeof *heap_table_lock);
	pthread_rwlock_init(heap_table_lock, NULL);
	KEEP;
}

static void make_others(void)
{
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&recursive_lock, &attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&checked_lock, &attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_NORMAL);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&inherit_lock, &attr);
	pthread_spin_init(&short_lock, PTHREAD_PROCESS_PRIVATE);
	sem_init(&items, 0, 0);
	pthread_barrier_init(&meeting, NULL, (unsigned)waiters + 1);
	mtx_init(&c11_lock, mtx_plain);
}

#define ROW(name)                                                                                  \
	{                                                                                          \
#name, name##_short, name##_long, name##_wait, name##_lines                        \
	}
static const struct scene {
	const char *name;
	void (*hold_short)(void), (*hold_long)(void), (*wait)(void);
	int *lines;
} scenes[] = {ROW(mutex),     ROW(heap),      ROW(recursive),    ROW(checked),
	      ROW(inherit),   ROW(timed),     ROW(clocked),      ROW(c11),
	      ROW(readers),   ROW(writers),   ROW(heap_readers), ROW(spin),
	      ROW(semaphore), ROW(condition), ROW(barrier),      ROW(once)};

/* For how long the thread was ready without a processor so far; 0: the kernel does not tell. */
static double run_delay(void)
{
	char text[64] = "";
	unsigned long long ran = 0, delay = 0;
	int file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/schedstat", O_RDONLY);
	if (file < 0)
		return 0;
	if (syscall(SYS_read, file, text, sizeof text - 1) > 0)
		sscanf(text, "%llu %llu", &ran, &delay);
	syscall(SYS_close, file);
	return 1e-9 * (double)delay;
}

static void *waiter(void *argument)
{
	const struct scene *scene = argument;
	for (int i = 0; i < 2; i++) {
		await_raw(&held, i + 1);
		double delay = run_delay(), begin = now();
		increment(&arrived);
		scene->wait();
		double time = now() - begin;
		delay = run_delay() - delay;
		pthread_mutex_lock(&waited_guard);
		waited[i] += time;
		begins[i] += begin;
		delays[i] += delay;
		pthread_mutex_unlock(&waited_guard);
		increment(&finished);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[8];
	const struct scene *scene = NULL;
	for (unsigned i = 0; argc == 3 && i < sizeof scenes / sizeof *scenes; i++)
		if (strcmp(argv[1], scenes[i].name) == 0)
			scene = &scenes[i];
	if (!scene)
		return 2;
	waiters = atoi(argv[2]);
	make_lock();
	make_others();
	for (int i = 0; i < waiters; i++)
		pthread_create(&threads[i], NULL, waiter, (void *)scene);
	scene->hold_short();
	await_raw(&finished, waiters);
	round_number = 1;
	scene->hold_long();
	await_raw(&finished, 2 * waiters);
	for (int i = 0; i < waiters; i++)
		pthread_join(threads[i], NULL);
	truth("short", waited[0]);
	truth("long", waited[1]);
	/* What is surely the holder's: a waiter may keep out others, too, when it has got the thing
	 * and is preempted; or be preempted itself before it waits. */
	truth("short_least", waiters * given[0] - begins[0] - delays[0]);
	truth("long_least", waiters * given[1] - begins[1] - delays[1]);
	truth("line_short", scene->lines[0]);
	truth("line_long", scene->lines[1]);
	truth("line_wait", scene->lines[2]);
	truth_end();
	return 0;
}
