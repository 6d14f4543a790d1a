/* SPDX-License-Identifier: MIT */
/* entries KIND: critical sections that are entered.
 *
 *   once    a fork child's first use of OpenMP are critical sections, with a name and without; its
 *           parent entered a few of each before
 *   turns   two threads on one processor enter a section without a name so often that each loses
 *           the processor now and then: they wait for each other at most once a switch
 *
 * Prints the entries of all processes, and the switches. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FEW = 10, MANY = 1000, ROUNDS = 500000 };

static long count;

static void enter(int rounds)
{
	for (int i = 0; i < rounds; i++) {
#pragma omp critical
		count++;
#pragma omp critical(named)
		count++;
	}
}

static int once(void)
{
	int status = 1;

	enter(FEW);
	if (!fork()) {
		enter(MANY);
		exit(0);
	}
	wait(&status);
	printf("{\"entries\": %d}\n", FEW + MANY);
	return status;
}

static int turns(void)
{
	struct rusage usage;
	cpu_set_t all, first;
	int processor = 0;

	sched_getaffinity(0, sizeof all, &all);
	while (!CPU_ISSET(processor, &all))
		processor++;
	CPU_ZERO(&first);
	CPU_SET(processor, &first);
	sched_setaffinity(0, sizeof first, &first);
#pragma omp parallel num_threads(2)
	for (int i = 0; i < ROUNDS; i++) {
#pragma omp critical
		count++;
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("{\"entries\": %d, \"switches\": %ld}\n", 2 * ROUNDS,
	       usage.ru_nvcsw + usage.ru_nivcsw);
	return count != 2 * ROUNDS;
}

int main(int count_of_words, char **words)
{
	return count_of_words > 1 && !strcmp(words[1], "turns") ? turns() : once();
}
