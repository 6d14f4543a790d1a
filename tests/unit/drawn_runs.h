/* SPDX-License-Identifier: MIT */
/* Runs whose times vary by chance, for tests of how often ptrace-diff is wrong. Elapsed times are
 * lognormal, and one run in ten takes 1.2 to 2 times as long; CPU times vary by 0.7 of that, half
 * of it together with elapsed time. The numbers are made by a generator with a fixed seed, so that
 * each run of a test sees the same ones. */
#pragma once

#include "analyze/diff/side.h"

#include <math.h>
#include <stdint.h>

#define OUTLIERS  0.1
#define CPU_NOISE 0.7

static uint64_t state;

static void draw_begin(void)
{
	state = 88172645463325252u;
}

/* Between 0 and 1 (xorshift64*, Vigna 2016). */
static double draw(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return ((double)(state * 2685821657736338717u >> 11) + 0.5) / 9007199254740992.0;
}

/* Box and Muller. */
static double draw_normal(void)
{
	double radius = sqrt(-2 * log(draw()));

	return radius * cos(2 * M_PI * draw());
}

static void add_time(struct figures *figures, const char *key, double ns, bool is_cpu)
{
	figures_add(figures, &(struct figure){.section = SECTION_OVERVIEW,
					      .key = key,
					      .metric = "time",
					      .unit = UNIT_NS,
					      .sense = SENSE_LESS,
					      .role = ROLE_DECIDES,
					      .value = ns,
					      .effect_ns = ns,
					      .is_cpu = is_cpu});
}

static struct side_run draw_run(double noise, double factor)
{
	double both = draw_normal(), own = draw_normal();
	double outlier = draw() < OUTLIERS ? log(1.2 + 0.8 * draw()) : 0;
	double elapsed = 1e9 * factor * exp(noise * both + outlier);
	double cpu = 0.8e9 * factor * exp(CPU_NOISE * noise * (both + own) / sqrt(2) + outlier / 2);
	struct side_run run = {.figures = figures_create(), .elapsed_ns = elapsed};

	add_time(run.figures, "elapsed time", elapsed, false);
	add_time(run.figures, "CPU time", cpu, true);
	return run;
}
