/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_omp_uneven.h"

#include "analyze/findings/where/finding_delayed.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/openmp/omp_advice.h"
#include "analyze/model/run/run.h"

#include <math.h>

/* The members of one process in a region. */
struct members {
	const struct omp_member *rows;
	size_t count;
};

static const struct thread_time *thread_of(const struct run *run, const struct omp_member *member)
{
	return finding_thread_of(&run->processes[member->process], member->tid);
}

/* Those of the next process: rows are sorted by process. */
static struct members next_members(const struct omp_region *region, size_t first)
{
	struct members members = {&region->member_rows[first], 0};

	while (first + members.count < region->member_count &&
	       members.rows[members.count].process == members.rows->process)
		members.count++;
	return members;
}

/* ---- nobody else had processors, or it is not known what the work was */

/* Who waits in the runtime may be ready to spin: that makes nobody's work longer. */
static double ready_at_work_ns(const struct omp_totals *totals)
{
	double in_waits_ns = fmax(0, totals->wait_ns - totals->spin_ns - totals->blocked_ns);

	return fmax(0, totals->ready_ns - in_waits_ns);
}

/* Nothing records where a thread was ready: as in thread_time_spin, for the same share of all in
 * which it was awake. NAN: unknown. */
static double awake_work_ns(const struct run *run, const struct omp_member *member)
{
	const struct thread_time *time = thread_of(run, member);
	double cpu_ns = time ? (double)thread_time_cpu(time) : 0;

	return cpu_ns > 0 ? (double)member->work_ns * cpu_ns / (cpu_ns + (double)time->ready_ns)
			  : NAN;
}

static double uneven_team_ns(const struct run *run, struct members members)
{
	double most_ns = 0, sum_ns = 0;

	for (size_t i = 0; i < members.count; i++) {
		double ns = awake_work_ns(run, &members.rows[i]);

		most_ns = ns > most_ns ? ns : most_ns;
		sum_ns += ns;
	}
	return most_ns * (double)members.count - sum_ns;
}

static double uneven_ns(const struct run *run, const struct omp_region *region)
{
	double ns = 0;

	for (size_t i = 0; i < region->member_count;) {
		struct members members = next_members(region, i);
		double team_ns = uneven_team_ns(run, members);

		ns += team_ns > 0 ? team_ns : 0;
		i += members.count;
	}
	return fmin(ns, omp_lost_by_imbalance(region));
}

/* The larger one of two figures. One is lost_ns less all ready time outside of waits in the
 * runtime. The other one compares what members worked in all executions of a region, each without
 * its thread's share of ready time. */
static double uneven_of_all_ns(const struct run *run, double lost_ns, struct finding *finding)
{
	double least_ns = fmax(0, lost_ns - ready_at_work_ns(&run->omp.totals)), ns = 0;

	for (size_t i = 0; i < run->omp.regions.count && least_ns < lost_ns; i++)
		ns += uneven_ns(run, &run->omp.regions.rows[i]);
	if (ns <= least_ns)
		return least_ns;
	finding->grade = grade_worse(finding->grade, GRADE_ESTIMATED);
	return ns;
}

/* By how much all regions would be shorter if their members had equal work. */
static double uneven_elapsed_ns(const struct run *run)
{
	double ns = 0;

	for (size_t i = 0; i < run->omp.regions.count; i++) {
		const struct omp_region *region = &run->omp.regions.rows[i];

		ns += omp_lost_by_imbalance(region) / fmax(1, omp_region_team(region));
	}
	return ns;
}

/* ---- others had processors: CPU time of the members' work */

/* What all threads spun is known from the records of switches, if these say when threads were
 * useful. Which of them spun is not. */
struct spinning {
	double all_ns;  /* CPU time */
	double most_ns; /* sum of what each can have spun */
};

static bool has_useful_levels(const struct run *run)
{
	return run->process_count == 1 && run->useful.levels && run->useful.grade <= GRADE_SAMPLED;
}

static double spun_by_all_ns(const struct run *run)
{
	double useful_ns = run->useful.average * (double)run->useful.total_ns;

	return has_useful_levels(run) ? fmax(0, (double)run->cpu_ns - useful_ns)
				      : run->omp.totals.spin_ns;
}

/* In waits of the runtime and not blocked, and no more than all have spun. Where threads are ready
 * for most of their lives it is known to some hundredths of these for what they were blocked. */
#define AWAKE_ERROR 0.03

static double spun_at_most_ns(double all_ns, const struct thread_time *time)
{
	double awake_ns = (double)thread_time_awake(time);

	return time->omp_ns ? fmin(all_ns, awake_ns + AWAKE_ERROR * (double)time->lifetime_ns) : 0;
}

static struct spinning spinning_of(const struct run *run)
{
	struct spinning spinning = {.all_ns = spun_by_all_ns(run)};

	for (size_t i = 0; i < run->process_count; i++)
		for (size_t j = 0; j < run->processes[i].thread_count; j++)
			spinning.most_ns +=
				spun_at_most_ns(spinning.all_ns, &run->processes[i].threads[j]);
	return spinning;
}

/* A thread spins for some instants in each wait before it sleeps, and each member has as many
 * waits. */
static double spun_ns(const struct spinning *spinning, const struct thread_time *time)
{
	double most_ns = spun_at_most_ns(spinning->all_ns, time);

	return most_ns > 0 ? spinning->all_ns * fmin(1, most_ns / spinning->most_ns) : 0;
}

/* The part of the thread's CPU time beyond waits in the runtime that is the member's. */
static double part_of(const struct thread_time *time, const struct omp_member *member)
{
	double off_ns = (double)time->blocked_ns - (double)time->by_cause_ns[CAUSE_OPENMP];
	double busy_ns = (double)time->lifetime_ns - (double)time->omp_ns - fmax(0, off_ns);

	return busy_ns > 0 ? fmin(1, (double)member->work_ns / busy_ns) : 1;
}

/* CPU time of members' work in a region. */
struct cpu_work {
	double most_ns, sum_ns; /* NAN: unknown */
	double least_most_ns;   /* of the one with the most, if it has spun all that it can have */
	double longest_ns;      /* elapsed time of the member that worked longest */
	unsigned long long most_number;
};

static void add_member(struct cpu_work *all, const struct run *run, const struct spinning *spinning,
		       const struct omp_member *member)
{
	const struct thread_time *time = thread_of(run, member);
	double cpu_ns = time ? (double)thread_time_cpu(time) : NAN;
	double part = time ? part_of(time, member) : 1;
	double ns = time ? part * fmax(0, cpu_ns - spun_ns(spinning, time)) : NAN;

	all->sum_ns += ns;
	all->longest_ns = fmax(all->longest_ns, (double)member->work_ns);
	if (!(ns > all->most_ns))
		return;
	all->most_ns = ns;
	all->least_most_ns =
		part * fmax(0, cpu_ns - (time ? spun_at_most_ns(spinning->all_ns, time) : 0));
	all->most_number = member->number;
}

static void add_team(struct omp_uneven *all, const struct run *run, const struct spinning *spinning,
		     const struct omp_region *region, struct members members)
{
	struct cpu_work work = {0};
	double count = (double)members.count;

	for (size_t i = 0; i < members.count; i++)
		add_member(&work, run, spinning, &members.rows[i]);
	double mean_ns = work.sum_ns / count;

	if (!(work.most_ns > mean_ns))
		return;
	double ns = (1 - mean_ns / work.most_ns) * work.longest_ns;

	all->elapsed_ns += ns;
	all->lost_ns += ns * count;
	all->is_sure |= work.least_most_ns > mean_ns;
	if (ns * count <= all->worst_ns)
		return;
	all->worst = region;
	all->worst_ns = ns * count;
	all->most_cpu_ns = work.most_ns;
	all->mean_cpu_ns = mean_ns;
	all->most_number = work.most_number;
}

/* Do its members have given shares, so that who is slow does no less of it? Of nested teams several
 * threads have one number. */
static bool has_given_shares(const struct omp_region *region)
{
	return region->parent == OMP_NO_REGION && omp_has_given_shares(region);
}

static void add_region(struct omp_uneven *all, const struct run *run,
		       const struct spinning *spinning, const struct omp_region *region)
{
	double before_ns = all->lost_ns;

	for (size_t i = 0; i < region->member_count;) {
		struct members members = next_members(region, i);

		add_team(all, run, spinning, region, members);
		i += members.count;
	}
	all->regions += all->lost_ns > before_ns;
}

static void add_elapsed(struct omp_uneven *all, const struct run *run,
			const struct omp_region *region)
{
	double ns = uneven_ns(run, region);

	all->lost_ns += ns;
	all->elapsed_ns += ns / fmax(1, omp_region_team(region));
	all->is_sure |= ns > 0;
}

static struct omp_uneven beside_others(const struct run *run)
{
	struct spinning spinning = spinning_of(run);
	struct omp_uneven all = {0};

	for (size_t i = 0; i < run->omp.regions.count; i++) {
		const struct omp_region *region = &run->omp.regions.rows[i];

		if (has_given_shares(region))
			add_region(&all, run, &spinning, region);
		else
			add_elapsed(&all, run, region);
	}
	return all;
}

struct omp_uneven finding_omp_uneven_of(const struct run *run, double lost_ns,
					struct finding *finding)
{
	if (!(finding_taken_part(run) > 0))
		return (struct omp_uneven){.lost_ns = uneven_of_all_ns(run, lost_ns, finding),
					   .elapsed_ns = uneven_elapsed_ns(run),
					   .is_sure = true};
	finding->grade = grade_worse(finding->grade, GRADE_ESTIMATED);
	return beside_others(run);
}
