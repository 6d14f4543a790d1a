/* SPDX-License-Identifier: MIT */
/* Cancelled loops, regions, sections and task groups. Cancellation must be allowed before the
 * runtime starts, so the program executes itself again with OMP_CANCELLATION: the first process
 * image uses no OpenMP construct. Known: how often each region is executed and cancelled; of the
 * iterations, only bounds. */
#include "omp_truth.h"

enum { ITERATIONS = 10000, EXECUTIONS = 3, TASKS = 50 };
static volatile int done;

/* Iteration 10 cancels, the others see it at their next. */
static NOINLINE void cancelled_loop(void)
{
	done = 0;
	struct region_run run = REGION();
#pragma omp parallel
	{
#pragma omp for schedule(static)
		for (int i = 0; i < ITERATIONS; i++) {
			increment(&done);
			burn(2e-6);
			if (i == 10) {
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
	}
	region_end(&run);
	check(done >= 11 && done < ITERATIONS, "a cancelled loop ends early");
	KEEP;
}

/* Not on libomp: of version 14, a cancelled dynamic loop leaves its queues in a state in which a
 * later one hangs or fails an assertion of kmp_dispatch.cpp. */
static NOINLINE void cancelled_dynamic_loop(void)
{
	done = 0;
	struct region_run run = REGION();
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < ITERATIONS; i++) {
			increment(&done);
			burn(2e-6);
			if (i == 10) {
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
	}
	region_end(&run);
	check(done >= 11 && done < ITERATIONS, "a cancelled dynamic loop ends early");
	KEEP;
}

/* The others wait at a cancellable barrier. There is none just before: a thread that leaves that
 * one late finds the region cancelled already, and libomp 14 then waits for ever. */
static NOINLINE void cancelled_region(void)
{
	volatile int passed = 0;
	struct region_run run = REGION();
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
		}
#pragma omp barrier
#pragma omp cancellation point parallel
		increment(&passed);
	}
	region_end(&run);
	check(passed == 0, "nobody passes the end of a cancelled region");
	KEEP;
}

static NOINLINE void cancelled_sections(void)
{
	volatile int reached = 0;
	struct region_run run = REGION();
#pragma omp parallel
	{
#pragma omp sections
		{
#pragma omp section
			{
				increment(&reached);
#pragma omp cancel sections
				reached = -100;
			}
		}
	}
	region_end(&run);
	check(reached == 1, "a cancelled section");
	KEEP;
}

/* The first task cancels those that have not begun. */
static NOINLINE void cancelled_tasks(void)
{
	volatile int begun = 0, ended = 0;
	struct region_run run = REGION();
#pragma omp parallel
#pragma omp master
	{
#pragma omp taskgroup
		for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(begun, ended)
			{
				increment(&begun);
#pragma omp cancel taskgroup
				increment(&ended);
			}
		}
	}
	region_end(&run);
	check(begun >= 1 && begun <= TASKS && ended == 0, "a cancelled group of tasks");
	KEEP;
}

int main(int argc, char **argv)
{
	(void)argc;
	if (!getenv("OMP_CANCELLATION")) {
		setenv("OMP_CANCELLATION", "true", 1);
		execv("/proc/self/exe", argv);
		return 2;
	}
	check(omp_get_cancellation(), "cancellation is on");
	bool is_libgomp = !strcmp(runtime_name(), "libgomp");
	for (int i = 0; i < EXECUTIONS; i++) {
		cancelled_loop();
		cancelled_region();
		cancelled_sections();
		cancelled_tasks();
		if (is_libgomp)
			cancelled_dynamic_loop();
	}
	for (int i = 0; i < 4 + is_libgomp; i++)
		check(region_truths[i].executions == EXECUTIONS, "executions");
	counted("cancelled", (4 + is_libgomp) * EXECUTIONS);
	counted("master", EXECUTIONS);
	return end();
}
