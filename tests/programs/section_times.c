/* SPDX-License-Identifier: MIT */
/* What ptrace_times() says of this thread while it computes, sleeps and computes beside another
 * one, between readings of the program's own clocks: those around both readings, and those within.
 */
#include "ptrace.h"
#include "truth.h"

struct reading {
	double before, before_cpu, after, after_cpu;
	struct ptrace_times times;
};

static void read_all(struct reading *reading)
{
	reading->before = now();
	reading->before_cpu = cpu();
	if (ptrace_times(&reading->times))
		exit(1);
	reading->after_cpu = cpu();
	reading->after = now();
}

/* The least and the most that a difference of the two readings can be, and what it is. */
static void tell(const char *what, double least, double most, double said)
{
	char name[64];

	snprintf(name, sizeof name, "%s_least", what);
	truth(name, least);
	snprintf(name, sizeof name, "%s_most", what);
	truth(name, most);
	truth(what, said);
}

static double seconds(uint64_t after, uint64_t before)
{
	return ((double)after - (double)before) * 1e-9;
}

static double all_levels(const struct ptrace_times *times)
{
	double sum = 0;

	for (uint64_t i = 0; i < times->levels; i++)
		sum += (double)times->level_ns[i] * 1e-9;
	return sum;
}

static void *compute(void *unused)
{
	BURN(0.03);
	return unused;
}

static void compare(const struct reading *first, const struct reading *last)
{
	const struct ptrace_times *a = &first->times, *b = &last->times;

	tell("elapsed", last->before - first->after, last->after - first->before,
	     seconds(b->elapsed_ns, a->elapsed_ns));
	tell("cpu", last->before_cpu - first->after_cpu, last->after_cpu - first->before_cpu,
	     seconds(b->user_ns + b->system_ns, a->user_ns + a->system_ns));
	tell("levels", last->before - first->after, last->after - first->before,
	     all_levels(b) - all_levels(a));
	truth("parts",
	      seconds(b->user_ns + b->system_ns + b->ready_ns + b->blocked_ns, b->elapsed_ns));
	truth("slept", seconds(b->wait_ns[PTRACE_WAIT_SLEEP], a->wait_ns[PTRACE_WAIT_SLEEP]));
	truth("joined", seconds(b->wait_ns[PTRACE_WAIT_JOIN], a->wait_ns[PTRACE_WAIT_JOIN]));
	truth("bytes", (double)b->bytes);
}

int main(void)
{
	struct reading first, last;
	struct timespec nap = span(0.03);
	pthread_t thread;

	read_all(&first);
	BURN(0.05);
	nanosleep(&nap, NULL);
	pthread_create(&thread, NULL, compute, NULL);
	pthread_join(thread, NULL);
	read_all(&last);
	compare(&first, &last);
	truth_end();
	return 0;
}
