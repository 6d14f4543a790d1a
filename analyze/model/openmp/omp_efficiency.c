/* SPDX-License-Identifier: MIT */
#include "analyze/model/openmp/omp_efficiency.h"

#include "analyze/base/memory.h"
#include "analyze/model/openmp/omp_under_way.h"
#include "analyze/model/process/process.h"

#include <math.h>
#include <stdlib.h>

/* A thread as a master: sums over its executions of outermost regions. */
struct master {
	bool is_master;
	double team_most;  /* P */
	double elapsed_ns; /* of all executions */
	double team_elapsed_ns;
	double work_ns, lost_scheduling_ns;
	double under_way_ns; /* of the region in which it is, if its team is not known */
};

static bool is_outermost(const struct profile *profile, uint64_t region)
{
	return region && !profile->omp_regions.rows[region].parent;
}

static void add_execution(struct master *master, const struct profile_omp_execution *row)
{
	double team = row->team ? (double)row->team : 1;

	master->is_master = true;
	master->team_most = fmax(master->team_most, team);
	master->elapsed_ns += (double)row->elapsed_ns;
	master->team_elapsed_ns += team * (double)row->elapsed_ns;
	master->work_ns += (double)row->work_ns;
	master->lost_scheduling_ns += team * (double)row->idle_min_ns;
}

/* A region under way counts as an execution so far, if its team is known, and otherwise as elapsed
 * time only. What members did is known of all such regions of a process together. */
static void add_region_under_way(struct master *master, const struct profile_omp_thread *row,
				 const struct omp_under_way *all, double ns)
{
	double team = (double)row->region_team, team_ns = team * ns;

	master->is_master = true;
	if (!(team_ns > 0)) {
		master->under_way_ns = ns;
		return;
	}
	master->team_most = fmax(master->team_most, team);
	master->elapsed_ns += ns;
	master->team_elapsed_ns += team_ns;
	master->work_ns += all->work_ns * team_ns / all->team_elapsed_ns;
	master->lost_scheduling_ns += team * fmax(0, ns - all->work_most_ns);
}

static struct master *gather(const struct profile *profile, const struct process *process)
{
	struct master *masters = memory_allocate(profile->threads.count + 1, sizeof *masters);
	struct omp_under_way under_way = omp_under_way_of(profile, process);

	for (size_t i = 0; i < profile->omp_executions.count; i++) {
		const struct profile_omp_execution *row = &profile->omp_executions.rows[i];

		if (is_outermost(profile, row->region) && row->count)
			add_execution(&masters[row->thread], row);
	}
	for (size_t i = 0; i < profile->omp_threads.count; i++) {
		const struct profile_omp_thread *row = &profile->omp_threads.rows[i];

		if (row->region_since_ns)
			add_region_under_way(&masters[row->thread], row, &under_way,
					     omp_under_way_ns(profile, row, process->life.end_ns));
	}
	return masters;
}

static void add_master(struct omp_totals *sums, const struct master *master, double lifetime_ns)
{
	double elapsed = master->elapsed_ns + master->under_way_ns;
	double serial = fmax(0, lifetime_ns - elapsed);
	double idle = fmax(0, master->team_elapsed_ns - master->work_ns);
	double scheduling = fmin(master->lost_scheduling_ns, idle);
	double spare = fmax(0, master->team_most - 1);

	sums->masters++;
	sums->serial_ns += serial;
	sums->region_ns += elapsed;
	sums->useful_ns += serial + master->work_ns;
	sums->lost_scheduling_ns += scheduling;
	sums->lost_balance_ns += idle - scheduling;
	sums->lost_serial_ns +=
		spare * serial + master->team_most * master->elapsed_ns - master->team_elapsed_ns;
}

/* A thread of the runtime may start regions in a league of teams: outside of them it is a member of
 * other teams, or has nothing to do. */
static double life_of(const struct thread_time *time, const struct master *master)
{
	if (time->thread->flags & THREAD_OF_OPENMP)
		return master->elapsed_ns + master->under_way_ns;
	return (double)time->lifetime_ns;
}

void omp_efficiency_add(struct omp_totals *sums, const struct profile *profile,
			const struct process *process)
{
	struct master *masters = gather(profile, process);

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];
		const struct master *master = &masters[time->index];

		if (master->is_master)
			add_master(sums, master, life_of(time, master));
		if (master->is_master || time->thread->flags & THREAD_OF_OPENMP)
			sums->mpi_ns += (double)time->mpi_ns;
	}
	free(masters);
}

static double quotient(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

struct omp_efficiency omp_efficiency_of(const struct omp_totals *sums)
{
	double mpi = fmin(sums->mpi_ns, sums->useful_ns), both = sums->useful_ns;
	double serial = both + sums->lost_serial_ns, balance = serial + sums->lost_balance_ns;
	double all = balance + sums->lost_scheduling_ns;
	struct omp_efficiency efficiency = {
		.serialization = quotient(both, serial),
		.load_balance = quotient(serial, balance),
		.scheduling = quotient(balance, all),
		.parallel = quotient(both, all),
		.hybrid_parallel = NAN,
		.mpi_parallel = NAN,
	};

	if (mpi > 0) {
		efficiency.hybrid_parallel = quotient(both - mpi, all);
		efficiency.mpi_parallel = quotient(both - mpi, both);
	}
	return efficiency;
}
