/* SPDX-License-Identifier: MIT */
/* One operation, many times: `operations NAME COUNT` prints nanoseconds of elapsed and of CPU time
 * per operation. Run natively and under the profiler in alternation by tests/bench/run. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static long count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t many[10000]; /* more than a thread has rows for */
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static int turn;

enum { RING = 512, IDLE = 7000, IDLE_STACK = 64 * 1024, DEPTH = 200 };
static sem_t ring[RING];
static volatile uint64_t sink;

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void spin_for(double duration)
{
	double end = seconds(CLOCK_MONOTONIC) + duration;

	while (seconds(CLOCK_MONOTONIC) < end)
		sink++;
}

static void *lock_one(void *unused)
{
	(void)unused;
	for (long i = 0; i < count; i++) {
		pthread_mutex_lock(&mutex);
		sink++;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* One after the other, in turn. */
static void lock_in_turn(int mutexes)
{
	for (long i = 0, next = 0; i < count; i++) {
		pthread_mutex_lock(&many[next]);
		sink++;
		pthread_mutex_unlock(&many[next]);
		next = next + 1 < mutexes ? next + 1 : 0;
	}
}

static void *lock_64(void *unused)
{
	lock_in_turn(64);
	return unused;
}

static void *lock_10000(void *unused)
{
	lock_in_turn(10000);
	return unused;
}

/* What -finstrument-functions makes of an empty routine. */
void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

static void *instrumented(void *unused)
{
	for (long i = 0; i < count; i++) {
		__cyg_profile_func_enter(&lock_64, __builtin_return_address(0));
		__cyg_profile_func_exit(&lock_64, __builtin_return_address(0));
	}
	return unused;
}

static void *lock_read(void *unused)
{
	(void)unused;
	for (long i = 0; i < count; i++) {
		pthread_rwlock_rdlock(&rwlock);
		sink++;
		pthread_rwlock_unlock(&rwlock);
	}
	return NULL;
}

static void *hold_1us(void *unused)
{
	(void)unused;
	for (long i = 0; i < count; i++) {
		pthread_mutex_lock(&mutex);
		spin_for(1e-6);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void *ping_pong(void *who)
{
	int me = who != NULL;

	for (long i = 0; i < count; i++) {
		pthread_mutex_lock(&mutex);
		while (turn != me)
			pthread_cond_wait(&condition, &mutex);
		turn = !me;
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* The same below many frames: each wait has a path of that length. */
__attribute__((noinline)) static void *ping_pong_below(void *who, int depth)
{
	void *result = depth ? ping_pong_below(who, depth - 1) : ping_pong(who);

	sink += (uint64_t)depth; /* no tail call */
	return result;
}

static void *ping_pong_deep(void *who)
{
	return ping_pong_below(who, DEPTH);
}

/* A token that goes round: of many threads that wait, one works. */
static void *pass_token(void *who)
{
	intptr_t me = (intptr_t)who;

	for (long i = 0; i < count; i++) {
		while (sem_wait(&ring[me]))
			continue;
		sem_post(&ring[(me + 1) % RING]);
	}
	return NULL;
}

static void make_ring(void)
{
	for (int i = 0; i < RING; i++)
		sem_init(&ring[i], 0, i == 0);
}

static void *meet(void *unused)
{
	(void)unused;
	for (long i = 0; i < count; i++)
		pthread_barrier_wait(&barrier);
	return NULL;
}

static void *nothing(void *unused)
{
	return unused;
}

static void *create_join(void *unused)
{
	(void)unused;
	for (long i = 0; i < count; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, nothing, NULL);
		pthread_join(thread, NULL);
	}
	return NULL;
}

/* A stack of 30 frames that computes: what a sample costs. */
__attribute__((noinline)) static uint64_t deep(int depth)
{
	if (depth == 0) {
		for (long i = 0; i < count; i++)
			sink += (uint64_t)i * i;
		return sink;
	}
	return deep(depth - 1) + 1;
}

static void *compute(void *unused)
{
	(void)unused;
	deep(30);
	return NULL;
}

/* The same locks while another thread exists: glibc then needs atomic instructions. */
static void *sleep_long(void *unused)
{
	struct timespec long_time = {3600, 0};

	nanosleep(&long_time, NULL);
	return unused;
}

static void *beside_sleeper(void *(*routine)(void *))
{
	pthread_t sleeper;

	pthread_create(&sleeper, NULL, sleep_long, NULL);
	return routine(NULL);
}

static void *lock_threaded(void *unused)
{
	(void)unused;
	return beside_sleeper(lock_one);
}

static void *lock_threaded_64(void *unused)
{
	(void)unused;
	return beside_sleeper(lock_64);
}

static void *lock_threaded_10000(void *unused)
{
	(void)unused;
	return beside_sleeper(lock_10000);
}

static void make_idle_threads(void)
{
	pthread_attr_t attributes;
	pthread_t idle;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, IDLE_STACK);
	for (int i = 0; i < IDLE; i++)
		if (pthread_create(&idle, &attributes, sleep_long, NULL))
			exit(3);
	pthread_attr_destroy(&attributes);
}

static const struct {
	const char *name;
	void *(*run)(void *);
	int threads;
	void (*prepare)(void); /* not measured */
} operations[] = {
	{.name = "lock", .run = lock_one},
	{.name = "lock-64", .run = lock_64},
	{.name = "lock-10000", .run = lock_10000},
	{.name = "read-lock", .run = lock_read},
	{.name = "instrumented", .run = instrumented},
	{.name = "lock-threaded", .run = lock_threaded},
	{.name = "lock-threaded-64", .run = lock_threaded_64},
	{.name = "lock-threaded-10000", .run = lock_threaded_10000},
	{.name = "contended", .run = lock_one, .threads = 2},
	{.name = "hold-1us", .run = hold_1us, .threads = 2},
	{.name = "condition", .run = ping_pong, .threads = 2},
	{.name = "condition-7000", .run = ping_pong, .threads = 2, .prepare = make_idle_threads},
	{.name = "condition-deep", .run = ping_pong_deep, .threads = 2},
	{.name = "ring-512", .run = pass_token, .threads = RING, .prepare = make_ring},
	{.name = "barrier", .run = meet, .threads = 2},
	{.name = "create-join", .run = create_join},
	{.name = "compute", .run = compute},
};

static void run(void *(*routine)(void *), int threads)
{
	pthread_t thread[RING];

	if (!threads)
		routine(NULL);
	for (intptr_t i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, routine, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	count = atol(argv[2]);
	for (size_t i = 0; i < sizeof many / sizeof *many; i++)
		pthread_mutex_init(&many[i], NULL);
	pthread_barrier_init(&barrier, NULL, 2);
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
		if (strcmp(argv[1], operations[i].name))
			continue;
		int threads = operations[i].threads ? operations[i].threads : 1;
		if (operations[i].prepare)
			operations[i].prepare();
		double start = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
		run(operations[i].run, operations[i].threads);
		double all = (double)count * threads * 1e-9;
		printf("%.3f %.3f\n", (seconds(CLOCK_MONOTONIC) - start) / all,
		       (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / all);
		return 0;
	}
	return 2;
}
