/* SPDX-License-Identifier: MIT */
/* The figures computed from the times T_i, wherever these come from. */
#include "analyze/model/concurrency/efficiency.h"

#include <math.h>

/* Each machine is so many times larger than the one before. */
#define PROJECTED_FACTOR 2

struct efficiency efficiency_unknown(void)
{
	struct efficiency unknown = {
		.grade = GRADE_UNKNOWN,
		.average = NAN,
		.efficiency_percent = NAN,
		.sequential_percent = NAN,
		.amdahl_limit = NAN,
		.cautious_limit = NAN,
		.cavg = NAN,
		.ceff_percent = NAN,
		.executing_limit = NAN,
	};

	for (size_t i = 0; i < EFFICIENCY_PROJECTIONS; i++)
		unknown.projections[i] = (struct efficiency_projection){0, NAN, NAN};
	return unknown;
}

double efficiency_active_ns(const struct efficiency *efficiency)
{
	double active = 0;

	for (size_t i = 0; i < efficiency->level_count; i++)
		active += (double)efficiency->levels[i].active *
			  (double)efficiency->levels[i].time_ns;
	return active;
}

/* 0 / 0, and a limit where nothing limits, is unknown. */
static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

/* Amdahl's law: `fixed` stays as it is, the rest is divided by factor. */
static double speed_up(double whole, double fixed, unsigned factor)
{
	return ratio(whole, fixed + (whole - fixed) / factor);
}

void efficiency_set_figures(struct efficiency *efficiency, uint64_t processors)
{
	double idle = (double)efficiency_level_ns(efficiency, 0);
	double alone = (double)efficiency_level_ns(efficiency, 1);
	double active = efficiency_active_ns(efficiency), total = (double)efficiency->total_ns;
	double executing = efficiency_range_ns(efficiency, 1, UINT64_MAX);
	double n = processors ? (double)processors : NAN;
	unsigned factor = 1;

	efficiency->executing_ns = 0;
	for (size_t i = 0; i < efficiency->level_count; i++)
		if (efficiency->levels[i].active)
			efficiency->executing_ns += efficiency->levels[i].time_ns;
	efficiency->average = ratio(active, total);
	efficiency->efficiency_percent = 100 * efficiency->average / n;
	efficiency->sequential_percent = 100 * ratio(alone, total);
	efficiency->amdahl_limit = ratio(total, alone);
	efficiency->cautious_limit = ratio(total, idle + alone);
	efficiency->cavg = ratio(active, executing);
	efficiency->ceff_percent = 100 * efficiency->cavg / n;
	efficiency->executing_limit = ratio(executing, alone);
	for (size_t i = 0; i < EFFICIENCY_PROJECTIONS; i++) {
		factor *= PROJECTED_FACTOR;
		efficiency->projections[i] = (struct efficiency_projection){
			.factor = factor,
			.executing = speed_up(executing, alone, factor),
			.elapsed = speed_up(total, idle + alone, factor),
		};
	}
}

struct efficiency efficiency_from_levels(struct efficiency_level *levels, size_t count,
					 uint64_t total_ns, enum grade grade, uint64_t processors)
{
	struct efficiency efficiency = efficiency_unknown();

	efficiency.grade = grade;
	efficiency.levels = levels;
	efficiency.level_count = count;
	efficiency.total_ns = total_ns;
	if (count)
		efficiency_set_figures(&efficiency, processors);
	return efficiency;
}

double efficiency_utilization(const struct efficiency *efficiency, uint64_t active)
{
	return ratio((double)efficiency_level_ns(efficiency, active),
		     efficiency_range_ns(efficiency, 1, UINT64_MAX));
}

uint64_t efficiency_level_ns(const struct efficiency *efficiency, uint64_t active)
{
	for (size_t i = 0; i < efficiency->level_count; i++)
		if (efficiency->levels[i].active == active)
			return efficiency->levels[i].time_ns;
	return 0;
}

/* A level that no window saw has an error as well: one more window might have seen it, and one not
 * (Laplace's rule of succession). */
double efficiency_level_error_ns(const struct efficiency *efficiency, uint64_t active)
{
	double n = efficiency->windows, total = (double)efficiency->total_ns;

	if (!(n > 0) || !(total > 0))
		return NAN;
	double share = (double)efficiency_level_ns(efficiency, active) / total;
	double likely = (share * n + 1) / (n + 2);

	return efficiency->unseen_ns * sqrt(likely * (1 - likely) / n);
}

double efficiency_range_ns(const struct efficiency *efficiency, uint64_t low, uint64_t high)
{
	double sum = 0;

	for (size_t i = 0; i < efficiency->level_count; i++)
		if (efficiency->levels[i].active >= low && efficiency->levels[i].active <= high)
			sum += (double)efficiency->levels[i].time_ns;
	return sum;
}

uint64_t efficiency_highest(const struct efficiency *efficiency)
{
	return efficiency->level_count ? efficiency->levels[efficiency->level_count - 1].active : 0;
}
