/* SPDX-License-Identifier: MIT */
#include "analyze/model/efficiency.h"

#include "analyze/memory.h"
#include "analyze/model/calibration.h"

#include <math.h>
#include <stdlib.h>

/* Records that miss less miss the start and the end of the process only. */
#define COVERED_SHARE 0.99
/* Two measurements of the same time agree. */
#define AGREEMENT 0.01

static int compare_levels(const void *left, const void *right)
{
	const struct efficiency_level *a = left, *b = right;

	return (a->active > b->active) - (a->active < b->active);
}

static void read_levels(struct efficiency *efficiency, const struct profile *profile,
			enum concurrency_kind kind)
{
	/* More than the rows: levels 0 and 1, and the one at the end, may have to be added. */
	efficiency->levels =
		memory_allocate(profile->concurrency.count + 3, sizeof *efficiency->levels);
	for (size_t i = 0; i < profile->concurrency.count; i++) {
		const struct profile_concurrency *row = &profile->concurrency.rows[i];

		if (row->kind == (uint64_t)kind && row->time_ns)
			efficiency->levels[efficiency->level_count++] =
				(struct efficiency_level){row->active, row->time_ns};
	}
}

static uint64_t sum_levels(const struct efficiency *efficiency)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < efficiency->level_count; i++)
		sum += efficiency->levels[i].time_ns;
	return sum;
}

static void add_time(struct efficiency *efficiency, uint64_t active, uint64_t time_ns)
{
	for (size_t i = 0; i < efficiency->level_count; i++)
		if (efficiency->levels[i].active == active) {
			efficiency->levels[i].time_ns += time_ns;
			return;
		}
	efficiency->levels[efficiency->level_count++] = (struct efficiency_level){active, time_ns};
}

/* A single thread is on a processor for its CPU time, and nobody is for the rest: no record could
 * know better. */
static void set_single(struct efficiency *efficiency, uint64_t elapsed_ns, uint64_t cpu_ns)
{
	uint64_t active_ns = cpu_ns < elapsed_ns ? cpu_ns : elapsed_ns;

	efficiency->level_count = 0;
	if (elapsed_ns > active_ns)
		add_time(efficiency, 0, elapsed_ns - active_ns);
	if (active_ns)
		add_time(efficiency, 1, active_ns);
}

static bool has_note(const struct profile *profile, uint64_t code)
{
	for (size_t i = 0; i < profile->notes.count; i++)
		if (profile->notes.rows[i].code == code)
			return true;
	return false;
}

static enum grade grade_of(const struct profile *profile, uint64_t elapsed_ns)
{
	uint64_t covered = profile->process.switches_ns;

	/* Records may have been taken while the process found out that it cannot, or shall not,
	 * have them. */
	if (!covered || has_note(profile, NOTE_NO_SWITCHES) || has_note(profile, NOTE_SWITCHES_OFF))
		return GRADE_ESTIMATED;
	if ((double)covered < COVERED_SHARE * (double)elapsed_ns ||
	    has_note(profile, NOTE_SWITCHES_STOPPED) || has_note(profile, NOTE_LOST_SWITCHES) ||
	    profile->process.switches_lost)
		return GRADE_SAMPLED;
	return GRADE_EXACT;
}

/* From the last account to the end of the process its threads stayed as they were: those that were
 * in no wait ran. */
static uint64_t threads_at_end(const struct profile *profile)
{
	uint64_t running = 0, processors = profile->process.processors;

	for (size_t i = 1; i < profile->threads.count; i++) {
		const struct profile_thread *thread = &profile->threads.rows[i];

		running += thread->tid && thread->flags & THREAD_ALIVE && !thread->waiting_since_ns;
	}
	return processors && running > processors ? processors : running;
}

static void compute_figures(struct efficiency *efficiency, uint64_t processors)
{
	double total = (double)efficiency->total_ns, active = 0;
	double alone = (double)efficiency_level_ns(efficiency, 1);

	for (size_t i = 0; i < efficiency->level_count; i++)
		active += (double)efficiency->levels[i].active *
			  (double)efficiency->levels[i].time_ns;
	if (total <= 0)
		return;
	efficiency->average = active / total;
	efficiency->sequential_percent = 100 * alone / total;
	if (processors)
		efficiency->efficiency_percent = 100 * active / (total * (double)processors);
	if (alone > 0)
		efficiency->amdahl_limit = total / alone;
}

/* sum(i T_i) of a kind, as the profile has it. */
static double measured_active(const struct profile *profile, enum concurrency_kind kind)
{
	double active = 0;

	for (size_t i = 0; i < profile->concurrency.count; i++) {
		const struct profile_concurrency *row = &profile->concurrency.rows[i];
		if (row->kind == (uint64_t)kind)
			active += (double)row->active * (double)row->time_ns;
	}
	return active;
}

/* Useful time is a part of the time on a processor, and is corrected in the same proportion. */
static void agree_with_clocks(struct efficiency *efficiency, const struct profile *profile,
			      enum concurrency_kind kind, double cpu_ns)
{
	double on_ns = measured_active(profile, CONCURRENCY_ON_PROCESSOR), active_ns;

	if (cpu_ns <= 0 || on_ns <= 0)
		return;
	if (efficiency->grade == GRADE_EXACT && fabs(on_ns - cpu_ns) <= AGREEMENT * cpu_ns)
		return;
	active_ns = measured_active(profile, kind) * cpu_ns / on_ns;
	calibrate_levels(efficiency->levels, &efficiency->level_count, active_ns);
	if (efficiency->grade == GRADE_EXACT)
		efficiency->grade = GRADE_SAMPLED;
}

struct efficiency efficiency_of(const struct profile *profile, enum concurrency_kind kind,
				uint64_t elapsed_ns, uint64_t cpu_ns)
{
	struct efficiency efficiency = {
		.grade = grade_of(profile, elapsed_ns),
		.average = NAN,
		.efficiency_percent = NAN,
		.sequential_percent = NAN,
		.amdahl_limit = NAN,
	};
	bool is_single = profile->process.threads_started == 1;

	read_levels(&efficiency, profile, kind);
	if (is_single && (efficiency.grade != GRADE_EXACT || !efficiency.level_count)) {
		set_single(&efficiency, elapsed_ns, cpu_ns);
		efficiency.grade = GRADE_EXACT;
	}
	if (!efficiency.level_count) {
		efficiency.grade = GRADE_UNKNOWN;
		return efficiency;
	}
	efficiency.total_ns = sum_levels(&efficiency);
	if (efficiency.total_ns < elapsed_ns)
		add_time(&efficiency, threads_at_end(profile), elapsed_ns - efficiency.total_ns);
	efficiency.total_ns = sum_levels(&efficiency);
	if (!is_single)
		agree_with_clocks(&efficiency, profile, kind, (double)cpu_ns);
	qsort(efficiency.levels, efficiency.level_count, sizeof *efficiency.levels, compare_levels);
	compute_figures(&efficiency, profile->process.processors);
	return efficiency;
}

void efficiency_clear(struct efficiency *efficiency)
{
	free(efficiency->levels);
	efficiency->levels = NULL;
}

uint64_t efficiency_level_ns(const struct efficiency *efficiency, uint64_t active)
{
	for (size_t i = 0; i < efficiency->level_count; i++)
		if (efficiency->levels[i].active == active)
			return efficiency->levels[i].time_ns;
	return 0;
}
