/* SPDX-License-Identifier: MIT */
#include "analyze/live/live_levels.h"

#include "analyze/base/number.h"
#include "analyze/model/concurrency/calibration.h"

#include <math.h>

/* Windows of records that are shorter (ns) tell nothing of an interval. */
#define WINDOWS_MIN_NS 15000000

static bool takes_windows(const struct profile *profile)
{
	for (size_t i = 0; i < profile->notes.count; i++)
		if (profile->notes.rows[i].code == NOTE_SWITCHES_STOPPED ||
		    profile->notes.rows[i].code == NOTE_SWITCHES_LEFT)
			return true;
	return false;
}

struct live_kinds live_kinds_of(const struct profile *profile)
{
	struct live_kinds kinds = {.has_windows = takes_windows(profile)};

	for (size_t i = 0; i < profile->concurrency.count; i++) {
		const struct profile_concurrency *row = &profile->concurrency.rows[i];
		uint64_t level = row->active < LIVE_LEVELS ? row->active : LIVE_LEVELS - 1;

		if (row->kind >= LIVE_KINDS)
			continue;
		kinds.ns[row->kind][level] += row->time_ns;
		kinds.has_windows |= row->kind == CONCURRENCY_WINDOWS_ON_PROCESSOR && row->time_ns;
	}
	return kinds;
}

static uint64_t growth(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

static struct live_kinds kinds_between(const struct live_kinds *before,
				       const struct live_kinds *now)
{
	struct live_kinds kinds = {.has_windows = now->has_windows};

	for (size_t kind = 0; kind < LIVE_KINDS; kind++)
		for (size_t i = 0; i < LIVE_LEVELS; i++)
			kinds.ns[kind][i] = growth(before->ns[kind][i], now->ns[kind][i]);
	return kinds;
}

/* What records saw, and for the rest of the time what their windows make likely; without any, what
 * the waits say. */
static void combine(uint64_t into[LIVE_LEVELS], const uint64_t seen[LIVE_LEVELS],
		    const uint64_t rest[LIVE_LEVELS], double factor)
{
	for (size_t i = 0; i < LIVE_LEVELS; i++)
		into[i] = seen[i] + number_of_real((double)rest[i] * factor);
}

struct live_levels live_levels_between(const struct live_kinds *before,
				       const struct live_kinds *now)
{
	struct live_kinds grown = kinds_between(before, now);
	uint64_t windows_ns = live_levels_total(grown.ns[CONCURRENCY_WINDOWS_ON_PROCESSOR]);
	uint64_t seen_ns = live_levels_total(grown.ns[CONCURRENCY_ON_PROCESSOR]);
	struct live_levels levels = {
		.unseen_ns = live_levels_total(grown.ns[CONCURRENCY_UNSEEN_ON_PROCESSOR])};
	bool is_from_windows = grown.has_windows && windows_ns >= WINDOWS_MIN_NS;
	double factor = is_from_windows ? (double)levels.unseen_ns / (double)windows_ns : 1;

	/* who is in no wait is mostly ready where threads switch so often: nothing was measured */
	if (grown.has_windows && !is_from_windows && levels.unseen_ns > seen_ns / 100)
		return (struct live_levels){.unseen_ns = levels.unseen_ns};
	combine(levels.on_ns, grown.ns[CONCURRENCY_ON_PROCESSOR],
		grown.ns[is_from_windows ? CONCURRENCY_WINDOWS_ON_PROCESSOR
					 : CONCURRENCY_UNSEEN_ON_PROCESSOR],
		factor);
	combine(levels.useful_ns, grown.ns[CONCURRENCY_USEFUL],
		grown.ns[is_from_windows ? CONCURRENCY_WINDOWS_USEFUL : CONCURRENCY_UNSEEN_USEFUL],
		factor);
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
