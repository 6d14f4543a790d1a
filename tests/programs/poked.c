/* SPDX-License-Identifier: MIT */
/* One thread computes, another pokes it with a signal a thousand times a second, as runtimes do to
 * preempt. Truth: CPU time of the computing, and how often the handler ran. */
#include "truth.h"
#include <signal.h>

static pthread_t worker;
static volatile int is_over, has_begun;
static volatile long ticks;

static NOINLINE void tick(int number)
{
	(void)number;
	ticks++;
}

static void *compute(void *unused)
{
	has_begun = 1;
	double before = cpu();
	BURN(1);
	truth("computed", cpu() - before);
	is_over = 1;
	return unused;
}

int main(void)
{
	struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
	sigaction(SIGURG, &action, NULL);
	pthread_create(&worker, NULL, compute, NULL);
	await_raw(&has_begun, 1);
	while (!is_over) {
		nap_raw(0.001);
		if (!is_over)
			pthread_kill(worker, SIGURG);
	}
	pthread_join(worker, NULL);
	truth("ticks", (double)ticks);
	truth_end();
	return 0;
}
