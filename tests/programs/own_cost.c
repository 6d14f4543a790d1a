/* SPDX-License-Identifier: MIT */
/* Programs that do one thing very often, so that what a profiler takes for each counts:
 *
 *   own_cost KIND [TIMES]
 *
 * The work is fixed by numbers, never by a clock, so that a run without the profiler does the same.
 * Truth: the CPU time of the process and its children since main began. */
#include "truth.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile unsigned long sink;
static long times;

__attribute__((noinline)) static void compute(long rounds)
{
	for (long i = 0; i < rounds; i++)
		sink += (unsigned long)i;
}

/* ---- calls that do not wait */

__attribute__((noinline)) static void *take(void *unused)
{
	for (long i = 0; i < times; i++) {
		pthread_mutex_lock(&mutex);
		sink++;
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

static void *try(void *unused)
{
	for (long i = 0; i < times; i++)
		if (!pthread_mutex_trylock(&mutex))
			pthread_mutex_unlock(&mutex);
	return unused;
}

static void nothing(void)
{
}

static void *ask_once(void *unused)
{
	for (long i = 0; i < times; i++)
		pthread_once(&once, nothing);
	return unused;
}

__attribute__((noinline)) static void *read_zeros(void *unused)
{
	int file = open("/dev/zero", O_RDONLY);
	char byte;

	for (long i = 0; i < times; i++)
		if (read(file, &byte, 1) != 1)
			abort();
	close(file);
	return unused;
}

static void *compute_long(void *unused)
{
	compute(times);
	return unused;
}

/* ---- waits */

static void *contend(void *unused)
{
	for (long i = 0; i < times; i++) {
		pthread_mutex_lock(&mutex);
		compute(400);
		pthread_mutex_unlock(&mutex);
		compute(100);
	}
	return unused;
}

static void *take_turns(void *is_second)
{
	static bool turn;

	for (long i = 0; i < times; i++) {
		pthread_mutex_lock(&mutex);
		while (turn != (is_second != NULL))
			pthread_cond_wait(&condition, &mutex);
		turn = !turn;
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static int there[2], back[2];

static void pass(int from, int to, bool is_first)
{
	char byte = 0;

	for (long i = 0; i < times; i++) {
		if (is_first && write(to, &byte, 1) != 1)
			abort();
		if (read(from, &byte, 1) != 1)
			abort();
		compute(1000);
		if (!is_first && write(to, &byte, 1) != 1)
			abort();
	}
}

static void *pass_bytes(void *is_second)
{
	if (is_second)
		pass(there[0], back[1], false);
	else
		pass(back[0], there[1], true);
	return NULL;
}

/* ---- kinds */

static void run(void *(*work)(void *), int threads)
{
	pthread_t ids[2];

	for (int i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, work, i ? &ids : NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
}

static void *compute_shortly(void *unused)
{
	compute(20000);
	return unused;
}

static void make_threads(void)
{
	for (long i = 0; i < times; i++)
		run(compute_shortly, 1);
}

static void fork_children(void)
{
	for (long i = 0; i < times; i++) {
		pid_t child = fork();
		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
	}
}

static const struct kind {
	const char *name;
	long times;
	void *(*work)(void *);
	int threads;
	void (*otherwise)(void); /* without `work` */
} kinds[] = {
	{"locks", 60000000, take, 1, NULL},
	{"trylocks", 40000000, try, 1, NULL},
	{"once", 200000000, ask_once, 1, NULL},
	{"reads", 3000000, read_zeros, 1, NULL},
	{"compute", 500000000, compute_long, 2, NULL},
	{"contended", 500000, contend, 2, NULL},
	{"condition", 100000, take_turns, 2, NULL},
	{"pipes", 60000, pass_bytes, 2, NULL},
	{"threads", 600, NULL, 0, make_threads},
	{"forks", 300, NULL, 0, fork_children},
};

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static double cpu_seconds(void)
{
	struct rusage own, children;

	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	return seconds(own.ru_utime) + seconds(own.ru_stime) + seconds(children.ru_utime) +
	       seconds(children.ru_stime);
}

int main(int count, char **arguments)
{
	double start = cpu_seconds();

	if (count < 2 || pipe(there) || pipe(back))
		return 2;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(arguments[1], kinds[i].name) != 0)
			continue;
		times = count > 2 ? atol(arguments[2]) : kinds[i].times;
		if (kinds[i].work)
			run(kinds[i].work, kinds[i].threads);
		else
			kinds[i].otherwise();
	}
	truth("cpu", cpu_seconds() - start);
	truth_end();
	return 0;
}
