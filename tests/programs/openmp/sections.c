/* SPDX-License-Identifier: MIT */
/* Constructs that one thread executes, or that all wait at. Known: sections of 1, 2, 3 and 4 units
 * of work; how often each construct is met; and an explicit barrier that the last thread reaches 50
 * ms late (asleep), so that each other one waits so long, as it measures itself. */
#include "omp_truth.h"

enum { EXECUTIONS = 3 };
static const double unit = 0.002, late = 0.05;
static volatile int sections_done, singles, masters, maskeds, copies;
static double barrier_waited, barrier_most;

static NOINLINE void section(const struct region_run *run, int units)
{
	struct stretch mine = stretch_begin();
	burn(units * unit);
	increment(&sections_done);
	stretch_end(run, &mine);
}

static NOINLINE void four_sections(void)
{
	struct region_run run = REGION();
#pragma omp parallel
	{
#pragma omp sections
		{
#pragma omp section
			section(&run, 1);
#pragma omp section
			section(&run, 2);
#pragma omp section
			section(&run, 3);
#pragma omp section
			section(&run, 4);
		}
	}
	region_end(&run);
	KEEP;
}

static NOINLINE void combined_sections(void)
{
	struct region_run run = REGION();
#pragma omp parallel sections
	{
#pragma omp section
		section(&run, 1);
#pragma omp section
		section(&run, 2);
	}
	region_end(&run);
	KEEP;
}

static NOINLINE void one_of_all(void)
{
	struct region_run run = REGION();
#pragma omp parallel
	{
		int copied = 0;
#pragma omp single
		increment(&singles);
#pragma omp single nowait
		increment(&singles);
#pragma omp single copyprivate(copied)
		copied = 1 + increment(&singles);
		if (copied)
			increment(&copies);
#pragma omp master
		increment(&masters);
#pragma omp masked filter(omp_get_num_threads() - 1)
		increment(&maskeds);
	}
	region_end(&run);
	KEEP;
}

static void add_wait(double wait)
{
	lock_truth();
	barrier_waited += wait;
	barrier_most = wait > barrier_most ? wait : barrier_most;
	unlock_truth();
}

/* A first barrier lets all begin together. */
static NOINLINE void late_at_barrier(void)
{
	struct region_run run = REGION();
#pragma omp parallel
	{
		int is_late = omp_get_thread_num() == omp_get_num_threads() - 1;
#pragma omp barrier
		if (is_late)
			nap_raw(late);
		double before = now();
#pragma omp barrier
		if (!is_late)
			add_wait(now() - before);
	}
	region_end(&run);
	KEEP;
}

int main(void)
{
	int team = omp_get_max_threads();

	for (int i = 0; i < EXECUTIONS; i++) {
		four_sections();
		combined_sections();
		one_of_all();
		late_at_barrier();
	}
	check(sections_done == 6 * EXECUTIONS, "sections");
	check(singles == 3 * EXECUTIONS, "singles");
	check(copies == team * EXECUTIONS, "copies of a single's value");
	check(masters == EXECUTIONS && maskeds == EXECUTIONS, "masters");
	counted("section", sections_done);
	counted("sections", 2LL * EXECUTIONS * team);
	counted("single", 3LL * EXECUTIONS * team);
	counted("single_executed", singles);
	counted("master", masters);
	counted("masked", maskeds);
	counted("barrier", 2LL * EXECUTIONS * team);
	truth("section_work", 13 * unit * EXECUTIONS);
	truth("late", late);
	truth("late_waiters", (team - 1) * EXECUTIONS);
	truth("barrier_waited", barrier_waited);
	truth("barrier_waited_most", barrier_most);
	return end();
}
