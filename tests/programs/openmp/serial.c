/* SPDX-License-Identifier: MIT */
/* Known serial parts between regions: a third of the balanced work of each thread comes before each
 * region, by one thread alone, as work or as sleep. Known: the serial seconds, and that the regions
 * themselves lose nothing. */
#include "omp_truth.h"

enum { EXECUTIONS = 10 };
static const double parallel_part = 0.012, serial_part = 0.004, asleep_part = 0.004;
static struct stretch before_all;
static double serial_seconds, asleep_seconds;

static NOINLINE void together(void)
{
	struct region_run run = REGION();
#pragma omp parallel
	{
		struct stretch mine = stretch_begin();
		burn(parallel_part);
		stretch_end(&run, &mine);
	}
	region_end(&run);
	KEEP;
}

static NOINLINE void alone(void)
{
	double started = now();
	burn(serial_part);
	serial_seconds += now() - started;
}

static NOINLINE void asleep(void)
{
	double started = now();
	nap_raw(asleep_part);
	asleep_seconds += now() - started;
}

/* A region that an if clause makes serial: it is executed, by a team of one. */
static NOINLINE void serialized(void)
{
	int team = 0;
	struct region_run run = REGION();
#pragma omp parallel if (serial_part > 1)
	{
		struct stretch mine = stretch_begin();
		burn(serial_part);
		team = omp_get_num_threads();
		stretch_end(&run, &mine);
	}
	region_end(&run);
	check(team == 1, "the team of a serialized region");
	KEEP;
}

int main(void)
{
	before_all = stretch_begin();
	for (int i = 0; i < EXECUTIONS; i++) {
		alone();
		together();
		asleep();
	}
	for (int i = 0; i < EXECUTIONS; i++)
		serialized();
	truth("elapsed", now() - before_all.elapsed);
	truth("main_cpu", cpu() - before_all.cpu);
	truth("serial_seconds", serial_seconds);
	truth("asleep_seconds", asleep_seconds);
	truth("parallel_part", parallel_part * EXECUTIONS);
	check(region_truths[0].executions == EXECUTIONS, "executions of together");
	check(region_truths[1].executions == EXECUTIONS, "executions of serialized");
	return end();
}
