/* SPDX-License-Identifier: MIT */
/* The first thread joins one that computes in two routines, 1:3, and one that sleeps. Truth: time
 * of the joins. */
#include "truth.h"

static double joined_part[2], sleeper_part;

static NOINLINE void compute_short(void)
{
	double begin = now();
	BURN(0.1);
	joined_part[0] = now() - begin;
}

static NOINLINE void compute_long(void)
{
	double begin = now();
	BURN(0.3);
	joined_part[1] = now() - begin;
}

static void *computing(void *unused)
{
	compute_short();
	compute_long();
	return unused;
}

static void *sleeping(void *unused)
{
	nap_raw(0.15);
	return unused;
}

static NOINLINE double join(pthread_t thread)
{
	double begin = now();
	pthread_join(thread, NULL);
	return now() - begin;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, computing, NULL);
	double computing_time = join(thread);
	pthread_create(&thread, NULL, sleeping, NULL);
	sleeper_part = join(thread);
	truth("computing", computing_time);
	truth("short", joined_part[0]);
	truth("long", joined_part[1]);
	truth("sleeping", sleeper_part);
	truth_end();
	return 0;
}
