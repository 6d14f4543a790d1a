/* SPDX-License-Identifier: MIT */
/* A sleep below a recursion that is deeper than call paths are, in which a signal's handler
 * computes; and then one elsewhere, that uses no CPU time. Truth: how long both took, and what the
 * handler used. */
#include "truth.h"

#include <signal.h>
#include <sys/time.h>

enum { DEPTH = 300 };

static volatile double used;

static NOINLINE void compute(int signal)
{
	double begin = cpu();

	(void)signal;
	BURN(0.2);
	used = cpu() - begin;
}

static NOINLINE void sleep_interrupted(void)
{
	struct itimerval soon = {.it_value = {.tv_usec = 50000}};
	struct timespec t = span(10);

	setitimer(ITIMER_REAL, &soon, NULL);
	nanosleep(&t, NULL);
	KEEP;
}

static NOINLINE void descend(int depth)
{
	if (depth)
		descend(depth - 1);
	else
		sleep_interrupted();
	KEEP;
}

static NOINLINE void sleep_once(void)
{
	struct timespec t = span(0.4);

	nanosleep(&t, NULL);
	KEEP;
}

int main(void)
{
	double begin, middle;

	signal(SIGALRM, compute);
	begin = now();
	descend(DEPTH);
	middle = now();
	sleep_once();
	truth("sleep_interrupted", middle - begin);
	truth("sleep_once", now() - middle);
	truth("compute", used);
	truth_end();
	return 0;
}
