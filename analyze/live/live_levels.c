/* SPDX-License-Identifier: MIT */
#include "analyze/live/live_levels.h"

#include "analyze/base/number.h"
#include "analyze/model/concurrency/calibration.h"

#include <math.h>

struct live_levels live_levels_of(const struct profile *profile)
{
	struct live_levels levels = {0};

	for (size_t i = 0; i < profile->concurrency.count; i++) {
		const struct profile_concurrency *row = &profile->concurrency.rows[i];
		uint64_t level = row->active < LIVE_LEVELS ? row->active : LIVE_LEVELS - 1;

		if (row->kind == CONCURRENCY_ON_PROCESSOR ||
		    row->kind == CONCURRENCY_UNSEEN_ON_PROCESSOR)
			levels.on_ns[level] += row->time_ns;
		if (row->kind == CONCURRENCY_USEFUL || row->kind == CONCURRENCY_UNSEEN_USEFUL)
			levels.useful_ns[level] += row->time_ns;
		if (row->kind == CONCURRENCY_UNSEEN_ON_PROCESSOR)
			levels.unseen_ns += row->time_ns;
	}
	return levels;
}

static uint64_t growth(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

struct live_levels live_levels_between(const struct live_levels *before,
				       const struct live_levels *now)
{
	struct live_levels levels = {.unseen_ns = growth(before->unseen_ns, now->unseen_ns)};

	for (size_t i = 0; i < LIVE_LEVELS; i++) {
		levels.on_ns[i] = growth(before->on_ns[i], now->on_ns[i]);
		levels.useful_ns[i] = growth(before->useful_ns[i], now->useful_ns[i]);
	}
	return levels;
}

void live_levels_add(struct live_levels *into, const struct live_levels *from)
{
	into->unseen_ns += from->unseen_ns;
	into->is_calibrated |= from->is_calibrated;
	for (size_t i = 0; i < LIVE_LEVELS; i++) {
		into->on_ns[i] += from->on_ns[i];
		into->useful_ns[i] += from->useful_ns[i];
	}
}

uint64_t live_levels_total(const uint64_t levels[LIVE_LEVELS])
{
	uint64_t total = 0;

	for (size_t i = 0; i < LIVE_LEVELS; i++)
		total += levels[i];
	return total;
}

double live_levels_average(const uint64_t levels[LIVE_LEVELS])
{
	uint64_t total = live_levels_total(levels);
	double active = 0;

	for (size_t i = 0; i < LIVE_LEVELS; i++)
		active += (double)i * (double)levels[i];
	return total ? active / (double)total : 0;
}

static void calibrate(uint64_t levels[LIVE_LEVELS], double average, uint64_t processors)
{
	struct efficiency_level known[LIVE_LEVELS + 2]; /* calibration may add two */
	size_t count = 0;
	double total = (double)live_levels_total(levels);

	for (size_t i = 0; i < LIVE_LEVELS; i++)
		if (levels[i])
			known[count++] = (struct efficiency_level){i, levels[i]};
	/* no CPU time at all is what calibration knows nothing of */
	if (!(average > 0)) {
		known[0] = (struct efficiency_level){0, number_of_real(total)};
		count = 1;
	} else {
		calibrate_levels(known, &count, average * total, processors);
	}
	for (size_t i = 0; i < LIVE_LEVELS; i++)
		levels[i] = 0;
	for (size_t i = 0; i < count; i++)
		levels[known[i].active < LIVE_LEVELS ? known[i].active : LIVE_LEVELS - 1] +=
			known[i].time_ns;
}

void live_levels_calibrate(struct live_levels *levels, double average, uint64_t processors)
{
	double measured = live_levels_average(levels->on_ns);
	double useful = live_levels_average(levels->useful_ns);

	if (!(measured > 0) || fabs(measured - average) <= CALIBRATION_AGREEMENT * average)
		return;
	levels->is_calibrated = true;
	calibrate(levels->on_ns, average, processors);
	if (useful > 0)
		calibrate(levels->useful_ns, average * useful / measured, processors);
}

void live_levels_guess(struct live_levels *levels, uint64_t interval_ns, uint64_t cpu_ns)
{
	if (cpu_ns > interval_ns / 100)
		return;
	levels->is_calibrated = true;
	levels->on_ns[0] = levels->useful_ns[0] = interval_ns - cpu_ns;
	levels->on_ns[1] = levels->useful_ns[1] = cpu_ns;
}
