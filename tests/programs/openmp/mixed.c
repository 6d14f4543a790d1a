/* SPDX-License-Identifier: MIT */
/* Threads of pthread beside OpenMP: one works alone, one opens regions of a team of its own, while
 * the main thread opens others; at the end, the main thread holds a mutex that the first one waits
 * for. Known: who does how much in which region, and that the lone thread is in no region. */
#include "omp_truth.h"

enum { TEAM = 2, EXECUTIONS = 5 };
static const double part = 0.004, alone_part = 0.02, hold = 0.01;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int is_held;
static double alone_cpu, mutex_wait;

static NOINLINE void of_main(void)
{
	struct region_run run = REGION();
#pragma omp parallel num_threads(TEAM)
	{
		struct stretch mine = stretch_begin();
		burn(part);
		stretch_end(&run, &mine);
	}
	region_end(&run);
	KEEP;
}

static NOINLINE void of_pthread(void)
{
	struct region_run run = REGION();
#pragma omp parallel num_threads(TEAM)
	{
		struct stretch mine = stretch_begin();
		burn(part * (1 + omp_get_thread_num()));
		stretch_end(&run, &mine);
	}
	region_end(&run);
	KEEP;
}

static void *leader(void *unused)
{
	for (int i = 0; i < EXECUTIONS; i++)
		of_pthread();
	return unused;
}

static void *lone(void *unused)
{
	double before = cpu();
	burn(alone_part);
	alone_cpu = cpu() - before;
	await_raw(&is_held, 1);
	before = now();
	pthread_mutex_lock(&mutex);
	mutex_wait = now() - before;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void make(pthread_t *thread, void *(*body)(void *))
{
	if (pthread_create(thread, NULL, body, NULL))
		abort();
}

int main(void)
{
	pthread_t threads[2];

	omp_set_dynamic(0);
	pthread_mutex_lock(&mutex);
	make(&threads[0], leader);
	make(&threads[1], lone);
	for (int i = 0; i < EXECUTIONS; i++)
		of_main();
	increment(&is_held);
	nap_raw(hold);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 2; i++)
		check(region_truths[i].executions == EXECUTIONS && region_truths[i].team == TEAM,
		      "the regions of both leaders");
	check(alone_cpu >= alone_part, "the work of the lone thread");
	counted("parallel", 2 * EXECUTIONS);
	truth("part", part);
	truth("alone_cpu", alone_cpu);
	truth("mutex_wait", mutex_wait);
	return end();
}
