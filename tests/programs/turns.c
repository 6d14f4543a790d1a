/* SPDX-License-Identifier: MIT */
/* Two threads of which never two run at once, with sleep in between: the first works, sleeps, and
 * joins a second one that does the same. Truth: the CPU time of both, and the elapsed time. */
#include "truth.h"

static double second_cpu;

static NOINLINE void take_turn(void)
{
	struct timespec t = span(0.05);
	BURN(0.02);
	nanosleep(&t, NULL);
	KEEP;
}

static void *second(void *unused)
{
	take_turn();
	second_cpu += cpu();
	return unused;
}

int main(void)
{
	double begin = now();
	for (int i = 0; i < 6; i++) {
		pthread_t thread;
		take_turn();
		pthread_create(&thread, NULL, second, NULL);
		pthread_join(thread, NULL);
	}
	truth("cpu", cpu() + second_cpu);
	truth("elapsed", now() - begin);
	truth_end();
	return 0;
}
