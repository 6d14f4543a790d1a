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

static inline void draw_begin(void)
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
static inline double draw_normal(void)
{
	double radius = sqrt(-2 * log(draw()));

	return radius * cos(2 * M_PI * draw());
}

static void add_disturbed(struct figures *figures, const char *key, double ns, double disturbance,
			  bool is_cpu)
{
	figures_add(figures, &(struct figure){.section = SECTION_OVERVIEW,
					      .key = key,
					      .metric = "time",
					      .unit = UNIT_NS,
					      .sense = SENSE_LESS,
					      .role = ROLE_DECIDES,
					      .value = ns,
					      .effect_ns = ns,
					      .disturbance = disturbance,
					      .is_cpu = is_cpu});
}

static inline void add_time(struct figures *figures, const char *key, double ns, bool is_cpu)
{
	add_disturbed(figures, key, ns, 0, is_cpu);
}

static inline struct side_run draw_run(double noise, double factor)
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

/* ---- beside other programs, on one processor */

#define OWN_SPREAD 0.015 /* of CPU time */
#define OTHERS     0.7   /* their share of the time in which it wanted to run, on average */
#define DRIFT      0.1   /* deviation of what of that stays for a while */
#define KEPT       0.8   /* from one run to the next */
#define UNSTEADY   0.07  /* deviation of the rest */

/* Their share so far is that of the run before; each run of a series sets the next. */
struct drawn_load {
	double drift;
	double inflation; /* of CPU time, by one if they had all of it */
};

/* Others lengthen CPU time by what they have of the processor: as they come and go, so does that.
 */
static inline struct side_run draw_run_beside(struct drawn_load *load, double factor)
{
	load->drift = KEPT * load->drift + sqrt(1 - KEPT * KEPT) * DRIFT * draw_normal();
	double others = fmin(0.95, fmax(0, OTHERS + load->drift + UNSTEADY * draw_normal()));
	double cpu =
		0.35e9 * factor * exp(OWN_SPREAD * draw_normal()) * (1 + load->inflation * others);
	double elapsed = cpu / (1 - others);
	struct side_run run = {.figures = figures_create(), .elapsed_ns = elapsed};

	run.figures->neighbours = others;
	add_disturbed(run.figures, "elapsed time", elapsed, elapsed - cpu, false);
	add_disturbed(run.figures, "CPU time", cpu, cpu * others, true);
	return run;
}
