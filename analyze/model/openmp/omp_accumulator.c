/* SPDX-License-Identifier: MIT */
#include "analyze/model/openmp/omp_accumulator.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/openmp/omp_accumulator_parts.h"
#include "analyze/model/process/process.h"

#include <math.h>
#include <stdlib.h>

struct omp_accumulator *omp_accumulator_create(struct names *names)
{
	struct omp_accumulator *accumulator = memory_allocate(1, sizeof *accumulator);

	accumulator->names = names;
	accumulator->totals.library = "";
	accumulator->regions = omp_regions_create(names);
	return accumulator;
}

/* ---- one process */

/* Rows of omp_threads by thread; NULL: the thread never used OpenMP. */
static const struct profile_omp_thread **find_threads(const struct profile *profile)
{
	const struct profile_omp_thread **rows =
		memory_allocate(profile->threads.count + 1, sizeof *rows);

	for (size_t i = 0; i < profile->omp_threads.count; i++)
		rows[profile->omp_threads.rows[i].thread] = &profile->omp_threads.rows[i];
	return rows;
}

/* While a region is under way, a waiting member may be inside its body. */
static bool is_region_under_way(const struct profile *profile)
{
	for (size_t i = 0; i < profile->omp_threads.count; i++)
		if (profile->omp_threads.rows[i].region_since_ns)
			return true;
	return false;
}

static void add_threads(struct omp_totals *totals, const struct profile *profile,
			const struct process *process)
{
	const struct profile_omp_thread **rows = find_threads(profile);
	bool is_open_outside = !is_region_under_way(profile);

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];
		const struct profile_omp_thread *row = rows[time->index];

		totals->wait_ns += (double)time->omp_ns;
		totals->spin_ns += (double)thread_time_spin(time);
		totals->blocked_ns += (double)time->by_cause_ns[CAUSE_OPENMP];
		if (!row)
			continue;
		totals->outside_ns += (double)row->outside_ns;
		totals->outside_ns += is_open_outside ? (double)time->omp_open_ns : 0;
		totals->ready_ns += (double)time->ready_ns;
		totals->switches += (double)time->thread->voluntary_switches;
		totals->blocked_grade = grade_worse(totals->blocked_grade, time->blocked_grade);
	}
	free(rows);
}

void omp_totals_unite(struct omp_totals *into, const struct omp_totals *from)
{
	merged_unite(MERGED_omp_run, into, from);
	into->runtimes |= from->runtimes;
	if (from->threads > into->threads) {
		into->threads = from->threads;
		into->processors = from->processors;
	}
	if (!*into->library)
		into->library = from->library;
}

/* The largest team is recorded when its region ends. */
static void add_runtimes(struct omp_totals *totals, const struct profile *profile)
{
	for (size_t i = 0; i < profile->omp_process.count; i++) {
		const struct profile_omp_process *row = &profile->omp_process.rows[i];
		totals->runtimes |= row->runtime < 64 ? 1ull << row->runtime : 0;
		if (row->threads_most > totals->threads)
			totals->threads = row->threads_most;
	}
	for (size_t i = 0; i < profile->omp_threads.count; i++) {
		const struct profile_omp_thread *row = &profile->omp_threads.rows[i];
		if (row->region_since_ns && row->region_team > totals->threads)
			totals->threads = row->region_team;
	}
}

/* If a process has several, their names without their paths. */
static const char *libraries_of(const struct omp_accumulator *accumulator,
				const struct profile *profile)
{
	const struct profile_omp_process *rows = profile->omp_process.rows;

	if (profile->omp_process.count < 2)
		return names_keep(accumulator->names, rows->library);
	char *both = memory_print("%s, %s", runtime_base_name(rows[0].library),
				  runtime_base_name(rows[1].library));
	const char *kept = names_keep(accumulator->names, both);
	free(both);
	return kept;
}

void omp_accumulator_add(struct omp_accumulator *accumulator, const struct profile *profile,
			 const struct process *process)
{
	if (!profile->omp_process.count)
		return;
	struct omp_totals totals = {
		.wait_policy = profile->omp_process.rows[0].wait_policy,
		.processors = profile->process.processors,
		.processes = 1,
		.library = libraries_of(accumulator, profile),
	};

	add_runtimes(&totals, profile);
	add_threads(&totals, profile, process);
	omp_totals_unite(&accumulator->totals, &totals);
	omp_efficiency_add(&accumulator->totals, profile, process);
	omp_regions_add(accumulator->regions, profile, process);
}

/* ---- the end */

/* Outside of bodies a thread is at the closing barrier, or starts a region, or is a member without
 * work. */
static double idle_of(const struct omp *omp)
{
	double known = 0;

	for (size_t i = 0; i < omp->regions.count; i++)
		known += omp->regions.rows[i].join_ns + omp->regions.rows[i].fork_ns;
	return fmax(0, omp->totals.outside_ns - known);
}

struct omp omp_accumulator_finish(struct omp_accumulator *accumulator)
{
	struct omp omp = {
		.is_used = accumulator->totals.processes > 0,
		.totals = accumulator->totals,
		.efficiency = omp_efficiency_of(&accumulator->totals),
		.regions = omp_regions_finish(accumulator->regions),
	};

	omp.idle_ns = idle_of(&omp);
	free(accumulator);
	return omp;
}

void omp_accumulator_destroy(struct omp_accumulator *accumulator)
{
	omp_regions_destroy(accumulator->regions);
	free(accumulator);
}

void omp_clear(struct omp *omp)
{
	omp_regions_clear(&omp->regions);
}
