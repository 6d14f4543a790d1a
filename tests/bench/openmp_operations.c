/* SPDX-License-Identifier: MIT */
/* What single OpenMP constructs cost, by two threads, measured by the first one.
 *
 *   openmp_operations NAME COUNT      prints "MEDIAN BEST": ns per operation, over batches
 *
 * Batches, since on a machine that others use too some of them are undisturbed. Threads spin at
 * barriers as the runtime sees fit. In `region` the team is started in each operation; in `task`
 * one thread makes the tasks of a batch and waits for them, and the other one may take some. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 500, BATCHES_MOST = 4000, THREADS = 2 };

static double batches[BATCHES_MOST];
static omp_lock_t lock;
static volatile long sink[THREADS][16]; /* a cache line each */

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* A batch each, by the first thread; `barrier` by all. */

static void regions(void)
{
	for (int i = 0; i < BATCH; i++) {
#pragma omp parallel num_threads(THREADS)
		sink[omp_get_thread_num()][0]++;
	}
}

static void barriers(void)
{
	for (int i = 0; i < BATCH; i++) {
#pragma omp barrier
	}
}

static void criticals(void)
{
	for (int i = 0; i < BATCH; i++) {
#pragma omp critical(till)
		sink[0][0]++;
	}
}

static void locks(void)
{
	for (int i = 0; i < BATCH; i++) {
		omp_set_lock(&lock);
		sink[0][0]++;
		omp_unset_lock(&lock);
	}
}

static void tasks(void)
{
	for (int i = 0; i < BATCH; i++) {
#pragma omp task
		sink[omp_get_thread_num()][0]++;
	}
#pragma omp taskwait
}

static void timed(void (*batch)(void), int wanted)
{
	for (int i = -3; i < wanted; i++) {
		double begin = now();
		batch();
		if (i >= 0 && omp_get_thread_num() == 0)
			batches[i] = (now() - begin) / BATCH * 1e9;
	}
}

static void alone(void (*batch)(void), int wanted)
{
	timed(batch, wanted);
}

/* In a region, by all of its threads. */
static void together(void (*batch)(void), int wanted)
{
#pragma omp parallel num_threads(THREADS)
	timed(batch, wanted);
}

/* In a region, by the first one. */
static void by_master(void (*batch)(void), int wanted)
{
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp master
		timed(batch, wanted);
	}
}

static const struct {
	const char *name;
	void (*batch)(void);
	void (*run)(void (*batch)(void), int wanted);
} operations[] = {
	{"region", regions, alone},         {"barrier", barriers, together},
	{"critical", criticals, by_master}, {"lock", locks, by_master},
	{"task", tasks, by_master},
};

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	int count = argc > 2 ? atoi(argv[2]) : 100000, found = 0;
	int wanted = count / BATCH < 1              ? 1
		     : count / BATCH < BATCHES_MOST ? count / BATCH
						    : BATCHES_MOST;

	omp_set_dynamic(0);
	omp_init_lock(&lock);
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (!strcmp(name, operations[i].name)) {
			operations[i].run(operations[i].batch, wanted);
			found = 1;
		}
	if (!found)
		return 2;
	qsort(batches, (size_t)wanted, sizeof *batches, compare);
	printf("%.2f %.2f\n", batches[wanted / 2], batches[0]);
	return 0;
}
