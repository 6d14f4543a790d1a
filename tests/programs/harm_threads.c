/* SPDX-License-Identifier: MIT */
/* harm_threads KIND [N]: handle (threads whose handle lies in memory that they unmap at once, N of
 * them), crowd (N threads at once, each with a few locks: is one more as fast as the first
 * thread?), jail (the same after the process gave up its rights to write its profile). */
#include "truth.h"
#include <sched.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <threads.h>

/* ---- handle ---- */

struct job {
	pthread_t id;
	thrd_t c11;
};

static volatile int done;

static struct job *new_job(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void *detach_and_unmap(void *argument)
{
	struct job *job = argument;
	if (!pthread_equal(job->id, pthread_self()))
		abort();
	pthread_detach(job->id);
	munmap(job, 4096);
	increment(&done);
	return NULL;
}

static int detach_and_unmap_c11(void *argument)
{
	struct job *job = argument;
	if (!thrd_equal(job->c11, thrd_current()))
		abort();
	thrd_detach(job->c11);
	munmap(job, 4096);
	increment(&done);
	return 0;
}

static void handle(int count)
{
	for (int i = 0; i < count; i++) {
		struct job *job = new_job();
		if (i % 2 ? thrd_create(&job->c11, detach_and_unmap_c11, job)
			  : pthread_create(&job->id, NULL, detach_and_unmap, job))
			abort();
		await_raw(&done, i + 1);
	}
	puts("ok");
}

/* ---- crowd ---- */

static sem_t go;
static pthread_mutex_t own[64];
enum { PAIRS = 200000 };

static double pairs(void)
{
	double from = cpu();
	for (int i = 0; i < PAIRS; i++) {
		pthread_mutex_lock(&own[i % 4]);
		pthread_mutex_unlock(&own[i % 4]);
	}
	return (cpu() - from) / PAIRS;
}

static void *stay(void *argument)
{
	pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&mine);
	pthread_mutex_unlock(&mine);
	sem_wait(&go);
	return argument;
}

static void *measure(void *result)
{
	pairs();
	*(double *)result = pairs();
	return NULL;
}

static void crowd(int count)
{
	pthread_t *t = calloc((size_t)count, sizeof *t), one;
	double last;
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	pairs();
	double first = pairs();
	for (int i = 0; i < count; i++)
		if (pthread_create(&t[i], &small, stay, NULL)) {
			puts("cannot make so many");
			exit(3);
		}
	pthread_create(&one, NULL, measure, &last);
	pthread_join(one, NULL);
	for (int i = 0; i < count; i++)
		sem_post(&go);
	for (int i = 0; i < count; i++)
		pthread_join(t[i], NULL);
	/* unobserved is as fast as without the profiler, and a search through all threads is 100
	 * times as slow */
	puts(last < 10 * first + 100e-9 ? "as fast" : "slower");
}

/* ---- jail ---- */

static void jail(int count)
{
	if (setgid(65534) || setuid(65534)) {
		puts("not root");
		exit(3);
	}
	crowd(count);
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 100;
	sem_init(&go, 0, 0);
	if (argc > 1 && !strcmp(argv[1], "handle"))
		handle(count);
	else if (argc > 1 && !strcmp(argv[1], "crowd"))
		crowd(count);
	else if (argc > 1 && !strcmp(argv[1], "jail"))
		jail(count);
	else
		return 2;
	return 0;
}
