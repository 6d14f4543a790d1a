/* SPDX-License-Identifier: MIT */
/* Two threads that are bound to a processor each, the first one before the other exists: at once
 * for some time, then the first one alone. Bound
 *   affinity call    by sched_setaffinity
 *   affinity raw     by the system call itself
 *   affinity attr    the second one by its attributes
 *   affinity beyond  the second one to a processor that the process might not use when it started:
 *                    start it bound to one
 *   affinity moment  the same, but only for moments, as hwloc does to look at all processors
 * Truth: bounds of T_2 on a machine of any load, and the CPU time of all. */
#include "truth.h"

#include <sched.h>
#include <stdbool.h>

static cpu_set_t first, second;
static bool is_raw, has_attribute, is_moment;
static double length = 0.3;
static volatile int ready;
static double own_begin, own_end, own_cpu;

static void bind_to(const cpu_set_t *processors)
{
	if (is_raw ? syscall(SYS_sched_setaffinity, 0, sizeof *processors, processors) < 0
		   : sched_setaffinity(0, sizeof *processors, processors))
		_exit(98);
}

static void *run_second(void *unused)
{
	if (!has_attribute && !is_moment)
		bind_to(&second);
	increment(&ready);
	await_raw(&ready, 2);
	double before = cpu();
	own_begin = now();
	SPIN(length);
	own_end = now();
	own_cpu = cpu() - before;
	return unused;
}

/* The lowest and the highest of the machine's processors that may be had. */
static void find_processors(void)
{
	cpu_set_t had, all;

	memset(&all, 0xff, sizeof all);
	sched_getaffinity(0, sizeof had, &had);
	sched_setaffinity(0, sizeof all, &all);
	sched_getaffinity(0, sizeof all, &all);
	sched_setaffinity(0, sizeof had, &had);
	int lowest = 0, highest = CPU_SETSIZE - 1;
	while (!CPU_ISSET(lowest, &had))
		lowest++;
	while (!CPU_ISSET(highest, &all))
		highest--;
	CPU_SET(lowest, &first);
	CPU_SET(highest, &second);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "call";
	pthread_attr_t attributes;
	pthread_t thread;

	is_raw = !strcmp(how, "raw");
	has_attribute = !strcmp(how, "attr");
	is_moment = !strcmp(how, "moment");
	if (!strcmp(how, "beyond"))
		length = 1; /* that it is not there for a moment only is found out in some 100 ms */
	find_processors();
	bind_to(&first);
	pthread_attr_init(&attributes);
	if (has_attribute)
		pthread_attr_setaffinity_np(&attributes, sizeof second, &second);
	pthread_create(&thread, &attributes, run_second, NULL);
	await_raw(&ready, 1);
	double before = cpu(), begin = now();
	increment(&ready);
	for (int i = 0; is_moment && i < 20; i++) {
		bind_to(i % 2 ? &first : &second);
		BURN(0.0005);
	}
	SPIN(length);
	double end = now(), both_cpu = cpu() - before;
	BURN(0.1);
	double alone = cpu() - before - both_cpu;
	pthread_join(thread, NULL);
	begin = own_begin < begin ? own_begin : begin;
	end = own_end > end ? own_end : end;
	double least = both_cpu + own_cpu - (end - begin);
	truth("two_least", least > 0 ? least : 0);
	truth("two_most", (both_cpu + alone < own_cpu ? both_cpu + alone : own_cpu));
	truth("cpu", clock_seconds(CLOCK_PROCESS_CPUTIME_ID));
	truth("processors", CPU_EQUAL(&first, &second) ? 1 : 2);
	truth_end();
	return 0;
}
