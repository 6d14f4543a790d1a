/* SPDX-License-Identifier: MIT */
#include "analyze/model/concurrency/efficiency.h"

#include "analyze/base/memory.h"
#include "analyze/base/number.h"

#include <math.h>
#include <stdlib.h>

/* Records that cover at least this share of the elapsed time miss only the start and the end of the
 * process. */
#define COVERED_SHARE 0.99
/* Records that cover less than this share, without windows spread over the run, are no sample of
 * it. */
#define SAMPLED_SHARE 0.5
/* Windows that cover less than this (ns) are not used; and a window's length. */
#define WINDOWS_MIN_NS 15000000
#define WINDOW_NS      20e6

static int compare_levels(const void *left, const void *right)
{
	const struct efficiency_level *a = left, *b = right;

	return (a->active > b->active) - (a->active < b->active);
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

/* T_i as measured: of the process, or of a section. */
struct measured_levels {
	const struct profile_concurrency *rows;
	size_t count;
};

static struct measured_levels levels_of(const struct profile *profile)
{
	return (struct measured_levels){profile->concurrency.rows, profile->concurrency.count};
}

static uint64_t sum_kind(const struct measured_levels *from, enum concurrency_kind kind)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < from->count; i++)
		if (from->rows[i].kind == (uint64_t)kind)
			sum += from->rows[i].time_ns;
	return sum;
}

/* Adds the times of one kind, multiplied by factor. */
static void add_kind(struct efficiency *efficiency, const struct measured_levels *from,
		     enum concurrency_kind kind, double factor)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct profile_concurrency *row = &from->rows[i];

		if (row->kind == (uint64_t)kind && row->time_ns)
			add_time(efficiency, row->active,
				 number_of_real((double)row->time_ns * factor));
	}
}

static enum concurrency_kind unseen_of(enum concurrency_kind kind)
{
	return kind == CONCURRENCY_USEFUL ? CONCURRENCY_UNSEEN_USEFUL
					  : CONCURRENCY_UNSEEN_ON_PROCESSOR;
}

/* What records saw and, for the rest of the time, what their windows make likely; without windows,
 * what the waits say. */
static void read_levels(struct efficiency *efficiency, const struct measured_levels *from,
			enum concurrency_kind kind)
{
	enum concurrency_kind unseen = unseen_of(kind);
	enum concurrency_kind windows = kind == CONCURRENCY_USEFUL
						? CONCURRENCY_WINDOWS_USEFUL
						: CONCURRENCY_WINDOWS_ON_PROCESSOR;
	uint64_t unseen_ns = sum_kind(from, unseen), windows_ns = sum_kind(from, windows);

	/* Room for more than the rows: levels 0 and 1, the two at the end, and the one that
	 * calibration may need, may have to be added. */
	efficiency->levels = memory_allocate(from->count + 5, sizeof *efficiency->levels);
	add_kind(efficiency, from, kind, 1);
	if (windows_ns < WINDOWS_MIN_NS) {
		add_kind(efficiency, from, unseen, 1);
		return;
	}
	add_kind(efficiency, from, windows, (double)unseen_ns / (double)windows_ns);
	if (unseen_ns) {
		efficiency->windows = fmax(1, (double)windows_ns / WINDOW_NS);
		efficiency->unseen_ns = (double)unseen_ns;
	}
}

static uint64_t sum_levels(const struct efficiency *efficiency)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < efficiency->level_count; i++)
		sum += efficiency->levels[i].time_ns;
	return sum;
}

/* A single thread is on a processor for its CPU time, and for the rest none is: no record could
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
	struct measured_levels all = levels_of(profile);

	/* Some records may have been taken before the process found out that it cannot, or must
	 * not, have them. */
	if (!covered || has_note(profile, NOTE_NO_SWITCHES) || has_note(profile, NOTE_SWITCHES_OFF))
		return GRADE_ESTIMATED;
	if ((double)covered < SAMPLED_SHARE * (double)elapsed_ns &&
	    sum_kind(&all, CONCURRENCY_WINDOWS_ON_PROCESSOR) < WINDOWS_MIN_NS)
		return GRADE_ESTIMATED;
	if ((double)covered < COVERED_SHARE * (double)elapsed_ns ||
	    has_note(profile, NOTE_SWITCHES_STOPPED) || has_note(profile, NOTE_SWITCHES_LEFT) ||
	    has_note(profile, NOTE_LOST_SWITCHES) || profile->process.switches_lost)
		return GRADE_SAMPLED;
	return GRADE_EXACT;
}

/* From the last update to the end of the process the state of its threads is assumed unchanged:
 * those in no wait ran. */
static uint64_t threads_at_end(const struct profile *profile)
{
	uint64_t running = 0, processors = profile->process.processors;

	for (size_t i = 1; i < profile->threads.count; i++) {
		const struct profile_thread *thread = &profile->threads.rows[i];

		running += thread->tid && thread->flags & THREAD_ALIVE && !thread->waiting_since_ns;
	}
	return processors && running > processors ? processors : running;
}

/* sum(i T_i) of a kind, before anything is corrected. */
static double measured_active(const struct profile *profile, enum concurrency_kind kind)
{
	struct efficiency measured = {0};
	struct measured_levels all = levels_of(profile);

	read_levels(&measured, &all, kind);
	double active = efficiency_active_ns(&measured);
	efficiency_clear(&measured);
	return active;
}

/* The same measured twice: levels, and the CPU clocks. */
struct active {
	double on_ns,
		kind_ns; /* sum(i T_i) as accounted, on a processor and of the kind asked for */
	double cpu_ns;
};

static bool agrees_with_clocks(const struct efficiency *efficiency, const struct active *active)
{
	return efficiency->grade == GRADE_EXACT &&
	       fabs(active->on_ns - active->cpu_ns) <= CALIBRATION_AGREEMENT * active->cpu_ns;
}

static struct active active_of(const struct profile *profile, enum concurrency_kind kind,
			       uint64_t cpu_ns)
{
	return (struct active){measured_active(profile, CONCURRENCY_ON_PROCESSOR),
			       measured_active(profile, kind), (double)cpu_ns};
}

/* Useful time seen by records is kept: the kernel's work between two threads is not useful. */
static bool is_kept(const struct efficiency *efficiency, enum concurrency_kind kind,
		    const struct active *active)
{
	return agrees_with_clocks(efficiency, active) || active->cpu_ns <= 0 ||
	       active->on_ns <= 0 ||
	       (kind == CONCURRENCY_USEFUL && efficiency->grade < GRADE_ESTIMATED &&
		active->on_ns <= active->cpu_ns);
}

/* After the last account of levels that are kept, threads used what is left of the CPU time. (Who
 * was in no wait may have ended, been stopped or killed since: that number of threads would be a
 * guess, and sum(i T_i) more than the CPU time.) */
static void add_rest(struct efficiency *efficiency, const struct profile *profile,
		     const struct active *active, uint64_t rest_ns)
{
	double useful = active->on_ns > 0 ? fmin(active->kind_ns / active->on_ns, 1) : 1;
	double most_ns = (double)rest_ns * (double)profile->process.processors;
	double left_ns = fmax(0, active->cpu_ns - active->on_ns);
	uint64_t cpu_ns = number_of_real(fmin(left_ns, most_ns) * useful);

	if (!rest_ns)
		return;
	add_time(efficiency, cpu_ns / rest_ns, rest_ns - cpu_ns % rest_ns);
	if (cpu_ns % rest_ns)
		add_time(efficiency, cpu_ns / rest_ns + 1, cpu_ns % rest_ns);
}

/* Useful time is a part of the time on a processor; if both come from waits, it is corrected in the
 * same proportion. */
static void calibrate(struct efficiency *efficiency, const struct profile *profile,
		      const struct active *active, uint64_t rest_ns)
{
	if (rest_ns)
		add_time(efficiency, threads_at_end(profile), rest_ns);
	calibrate_levels(efficiency->levels, &efficiency->level_count,
			 active->kind_ns * active->cpu_ns / active->on_ns,
			 profile->process.processors);
}

/* Up to the end of the process, and in agreement with the CPU clocks. */
static void complete(struct efficiency *efficiency, const struct profile *profile,
		     enum concurrency_kind kind, uint64_t elapsed_ns, uint64_t cpu_ns)
{
	uint64_t accounted_ns = sum_levels(efficiency);
	uint64_t rest_ns = elapsed_ns > accounted_ns ? elapsed_ns - accounted_ns : 0;
	struct active active = active_of(profile, kind, cpu_ns);
	bool agrees = agrees_with_clocks(efficiency, &active);

	if (profile->process.threads_started == 1 && !agrees) {
		set_single(efficiency, elapsed_ns, cpu_ns);
		efficiency->grade = GRADE_EXACT;
		return;
	}
	if (is_kept(efficiency, kind, &active))
		add_rest(efficiency, profile, &active, rest_ns);
	else
		calibrate(efficiency, profile, &active, rest_ns);
	if (efficiency->grade == GRADE_EXACT && !agrees)
		efficiency->grade = GRADE_SAMPLED;
}

struct efficiency efficiency_of(const struct profile *profile, enum concurrency_kind kind,
				uint64_t elapsed_ns, uint64_t cpu_ns)
{
	struct efficiency efficiency = efficiency_unknown();
	struct measured_levels all = levels_of(profile);

	efficiency.grade = grade_of(profile, elapsed_ns);
	read_levels(&efficiency, &all, kind);
	if (efficiency.level_count || profile->process.threads_started == 1)
		complete(&efficiency, profile, kind, elapsed_ns, cpu_ns);
	if (!efficiency.level_count) {
		efficiency.grade = GRADE_UNKNOWN;
		return efficiency;
	}
	efficiency.total_ns = sum_levels(&efficiency);
	qsort(efficiency.levels, efficiency.level_count, sizeof *efficiency.levels, compare_levels);
	efficiency_set_figures(&efficiency, profile->process.processors);
	return efficiency;
}

/* ---- of a section */

/* rows are released by the caller. */
static struct measured_levels levels_of_section(const struct profile *profile, uint64_t section,
						struct profile_concurrency *rows)
{
	struct measured_levels levels = {rows, 0};

	for (size_t i = 0; i < profile->section_levels.count; i++) {
		const struct profile_section_level *row = &profile->section_levels.rows[i];

		if (row->section == section)
			rows[levels.count++] = (struct profile_concurrency){
				.kind = row->kind, .active = row->active, .time_ns = row->time_ns};
	}
	return levels;
}

/* Time for which neither records nor windows of the section itself say who was on a processor. */
static bool is_guessed(const struct measured_levels *levels, enum concurrency_kind kind)
{
	return sum_kind(levels, unseen_of(kind)) > 0 &&
	       sum_kind(levels, kind == CONCURRENCY_USEFUL
					? CONCURRENCY_WINDOWS_USEFUL
					: CONCURRENCY_WINDOWS_ON_PROCESSOR) < WINDOWS_MIN_NS;
}

/* By the factor by which sum(i T_i) of the whole process was corrected. */
static void correct(struct efficiency *efficiency, const struct profile *profile,
		    enum concurrency_kind kind, uint64_t cpu_ns)
{
	struct active active = active_of(profile, kind, cpu_ns);

	if (profile->process.threads_started == 1 || is_kept(efficiency, kind, &active))
		return;
	calibrate_levels(efficiency->levels, &efficiency->level_count,
			 efficiency_active_ns(efficiency) * active.cpu_ns / active.on_ns,
			 profile->process.processors);
	efficiency->grade = grade_worse(efficiency->grade, GRADE_SAMPLED);
}

/* Never to more than the process took. */
static void scale(struct efficiency *efficiency, double factor, uint64_t elapsed_ns)
{
	uint64_t known_ns = sum_levels(efficiency);

	factor = fmin(factor, known_ns ? (double)elapsed_ns / (double)known_ns : 1);
	if (!(factor > 1))
		return;
	for (size_t i = 0; i < efficiency->level_count; i++)
		efficiency->levels[i].time_ns =
			number_of_real((double)efficiency->levels[i].time_ns * factor);
	efficiency->grade = grade_worse(efficiency->grade, GRADE_SAMPLED);
}

struct efficiency efficiency_of_section(const struct profile *profile, enum concurrency_kind kind,
					uint64_t section, double factor, uint64_t elapsed_ns,
					uint64_t cpu_ns)
{
	struct efficiency efficiency = efficiency_unknown();
	struct profile_concurrency *rows =
		memory_allocate(profile->section_levels.count + 1, sizeof *rows);
	struct measured_levels levels = levels_of_section(profile, section, rows);

	efficiency.grade = grade_of(profile, elapsed_ns);
	read_levels(&efficiency, &levels, kind);
	if (is_guessed(&levels, kind))
		efficiency.grade = GRADE_ESTIMATED;
	free(rows);
	if (!efficiency.level_count) {
		efficiency.grade = GRADE_UNKNOWN;
		return efficiency;
	}
	correct(&efficiency, profile, kind, cpu_ns);
	scale(&efficiency, factor, elapsed_ns);
	efficiency.total_ns = sum_levels(&efficiency);
	qsort(efficiency.levels, efficiency.level_count, sizeof *efficiency.levels, compare_levels);
	efficiency_set_figures(&efficiency, profile->process.processors);
	return efficiency;
}

void efficiency_clear(struct efficiency *efficiency)
{
	free(efficiency->levels);
	efficiency->levels = NULL;
}
