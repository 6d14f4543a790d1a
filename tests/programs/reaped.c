/* SPDX-License-Identifier: MIT */
/* Processes whose threads end just before they do, one after the other, all on one processor, which
 * their parent shares: what does waiting for them cost the parent? Truth: CPU time of the parent in
 * waitpid, and of the processes, in seconds; the number of processes.
 *
 *   reaped joined|left PROCESSES      whether threads are joined, or end as the process does */
#include "truth.h"
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { THREADS = 4 };

static void *work(void *unused)
{
	BURN(0.01);
	return unused;
}

static void *work_on(void *unused)
{
	for (;;)
		work(unused);
	return NULL;
}

static void process(int is_left)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, is_left ? work_on : work, NULL);
	for (int i = 0; i < THREADS && !is_left; i++)
		pthread_join(threads[i], NULL);
	if (is_left)
		BURN(0.01);
	exit(0);
}

static void stay_on_one_processor(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
}

int main(int count, char **words)
{
	int is_left = count > 1 && !strcmp(words[1], "left");
	int processes = count > 2 ? atoi(words[2]) : 30;
	double waiting = 0;
	struct rusage children;

	stay_on_one_processor();
	for (int i = 0; i < processes; i++) {
		pid_t pid = fork();
		if (!pid)
			process(is_left);
		double begin = cpu();
		waitpid(pid, NULL, 0);
		waiting += cpu() - begin;
	}
	getrusage(RUSAGE_CHILDREN, &children);
	double used = (double)(children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
		      1e-6 * (double)(children.ru_utime.tv_usec + children.ru_stime.tv_usec);
	truth("waiting", waiting);
	truth("used", used);
	truth("processes", processes);
	truth_end();
	return 0;
}
