/* SPDX-License-Identifier: MIT */
/* Phases with one, two and no threads on a processor. `phases raw` waits in system calls that
 * nobody wraps (by syscall()), `phases wrapped` in conditions and nanosleep. Truth: what bounds
 * T_0, T_1 and T_2 on a loaded machine, too: the CPU time of each phase, its length, and the
 * smaller CPU time of the phases with two. */
#include "truth.h"

static volatile int turn, raw;
static int turns[2]; /* a pipe: a byte for each turn */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static double second_cpu[3], second_begin[3], second_end[3];

static void wait_turn(int number)
{
	if (raw) {
		char byte;
		if (syscall(SYS_read, turns[0], &byte, 1) != 1)
			abort();
		return;
	}
	pthread_mutex_lock(&lock);
	while (turn < number)
		pthread_cond_wait(&turned, &lock);
	pthread_mutex_unlock(&lock);
}

static void next_turn(void)
{
	pthread_mutex_lock(&lock);
	increment(&turn);
	pthread_cond_broadcast(&turned);
	pthread_mutex_unlock(&lock);
	if (raw && syscall(SYS_write, turns[1], "", 1) != 1)
		abort();
}

static void rest(double seconds)
{
	struct timespec t = span(seconds);
	if (raw)
		nap_raw(seconds);
	else
		nanosleep(&t, NULL);
}

static void *helper(void *unused)
{
	for (int i = 0; i < 3; i++) {
		wait_turn(i + 1);
		double before = cpu();
		second_begin[i] = now();
		SPIN(0.12);
		second_end[i] = now();
		second_cpu[i] = cpu() - before;
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	double one = 0, two = 0, least = 0, most = 0;
	raw = argc > 1 && strcmp(argv[1], "raw") == 0;
	if (pipe(turns))
		abort();
	pthread_create(&thread, NULL, helper, NULL);
	rest(0.02);
	double begin = now(), begin_cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
	for (int i = 0; i < 3; i++) {
		double before = cpu();
		BURN(0.1);
		double mine = cpu() - before, first = now();
		one += mine;
		before = cpu();
		next_turn();
		SPIN(0.12);
		mine = cpu() - before;
		double last = now();
		rest(0.2);
		double length = (second_end[i] > last ? second_end[i] : last) - first;
		double both = mine + second_cpu[i] - length;
		two += mine + second_cpu[i];
		least += both > 0 ? both : 0;
		most += mine < second_cpu[i] ? mine : second_cpu[i];
	}
	truth("elapsed", now() - begin);
	truth("cpu", clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - begin_cpu);
	truth("one_cpu", one);
	truth("two_cpu", two);
	truth("two_least", least);
	truth("two_most", most);
	truth_end();
	pthread_join(thread, NULL);
	return 0;
}
