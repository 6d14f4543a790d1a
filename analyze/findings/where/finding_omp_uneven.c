/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_omp_uneven.h"

#include "analyze/findings/where/finding_delayed.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
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

/* Do its members have given shares, so that who is slow does no less of it? If all end at the same
 * time in each execution they take what is there, by whatever means. Of nested teams, and of
 * several masters, different threads have one number. */
static bool has_given_shares(const struct run *run, const struct omp_region *region)
{
	const struct omp_totals *totals = &run->omp.totals;

	return region->parent == OMP_NO_REGION && omp_has_given_shares(region) &&
	       totals->masters <= fmax(1, (double)totals->processes) &&
	       region->imbalance_ns >= finding_limits.part * region->elapsed_ns;
}

/* The larger one of two figures. One is what members waited for each other's work, less all ready
 * time outside of waits in the runtime. The other one compares what members worked in all
 * executions of a region, each without its thread's share of ready time. */
static void add_waits(struct omp_uneven *all, const struct run *run, bool is_shared,
		      struct finding *finding)
{
	double lost_ns = 0, ns = 0;

	for (size_t i = 0; i < run->omp.regions.count; i++) {
		const struct omp_region *region = &run->omp.regions.rows[i];

		if (is_shared && has_given_shares(run, region))
			continue;
		lost_ns += omp_lost_by_imbalance(region);
		all->elapsed_ns += omp_lost_by_imbalance(region) / fmax(1, omp_region_team(region));
		ns += uneven_ns(run, region);
	}
	double least_ns = fmax(0, lost_ns - ready_at_work_ns(&run->omp.totals));

	all->lost_ns = fmax(least_ns, ns);
	if (least_ns < lost_ns && ns > least_ns)
		finding->grade = grade_worse(finding->grade, GRADE_ESTIMATED);
	if (!(least_ns < lost_ns))
		all->lost_ns = least_ns;
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
static double spun_by_ns(const struct spinning *spinning, const struct thread_time *time)
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
	double elapsed_ns; /* time of all their work, at most as much of it was on a processor */
	double most_elapsed_ns; /* of the one with the most */
	double longest_ns;      /* of the one that worked longest */
	unsigned long long most_number;
};

static double cpu_work_ns(const struct thread_time *time, const struct omp_member *member,
			  double spun_ns)
{
	double cpu_ns = fmax(0, (double)thread_time_cpu(time) - spun_ns);

	return fmin((double)member->work_ns, part_of(time, member) * cpu_ns);
}

static void add_member(struct cpu_work *all, const struct run *run, const struct spinning *spinning,
		       const struct omp_member *member)
{
	const struct thread_time *time = thread_of(run, member);
	double elapsed_ns = (double)member->work_ns;
	double ns = time ? cpu_work_ns(time, member, spun_by_ns(spinning, time)) : NAN;

	all->sum_ns += ns;
	all->elapsed_ns += elapsed_ns;
	all->longest_ns = fmax(all->longest_ns, elapsed_ns);
	if (!(ns > all->most_ns))
		return;
	all->most_ns = ns;
	all->least_most_ns = cpu_work_ns(time, member, spun_at_most_ns(spinning->all_ns, time));
	all->most_elapsed_ns = elapsed_ns;
	all->most_number = member->number;
}

/* What the others cannot have done is the work of the one with the most. */
static bool is_surely_uneven(const struct cpu_work *work, double mean_ns)
{
	double others_ns = work->elapsed_ns - work->most_elapsed_ns;

	return fmax(work->least_most_ns, work->sum_ns - others_ns) > mean_ns;
}

/* Locks kept the others from work that the one with the most did: that is the locks' loss. Nothing,
 * if the one with the most would have no more than the mean if it had spun for all of it. */
static double uneven_work_ns(const struct cpu_work *work, double count, double locks_ns)
{
	double mean_ns = work->sum_ns / count;

	if (!(work->most_ns > mean_ns) || !is_surely_uneven(work, mean_ns))
		return 0;
	return fmax(0, (1 - mean_ns / work->most_ns) * work->longest_ns - locks_ns / count);
}

static void add_team(struct omp_uneven *all, const struct run *run, const struct spinning *spinning,
		     const struct omp_region *region, struct members members)
{
	struct cpu_work work = {0};
	double count = (double)members.count;

	for (size_t i = 0; i < members.count; i++)
		add_member(&work, run, spinning, &members.rows[i]);
	double ns = uneven_work_ns(&work, count, region->lock_ns + region->order_ns);

	all->by_cpu_ns += ns;
	if (ns <= all->worst_ns)
		return;
	all->worst = region;
	all->worst_ns = ns;
	all->most_cpu_ns = work.most_ns;
	all->mean_cpu_ns = work.sum_ns / count;
	all->most_number = work.most_number;
}

static void add_region(struct omp_uneven *all, const struct run *run,
		       const struct spinning *spinning, const struct omp_region *region)
{
	double before_ns = all->by_cpu_ns;

	for (size_t i = 0; i < region->member_count;) {
		struct members members = next_members(region, i);

		add_team(all, run, spinning, region, members);
		i += members.count;
	}
	all->regions += all->by_cpu_ns > before_ns;
}

static void add_by_cpu(struct omp_uneven *all, const struct run *run)
{
	struct spinning spinning = spinning_of(run);

	for (size_t i = 0; i < run->omp.regions.count; i++)
		if (has_given_shares(run, &run->omp.regions.rows[i]))
			add_region(all, run, &spinning, &run->omp.regions.rows[i]);
}

struct omp_uneven finding_omp_uneven_of(const struct run *run, struct finding *finding)
{
	bool is_shared = finding_taken_part(run) > 0;
	struct omp_uneven all = {0};

	add_waits(&all, run, is_shared, finding);
	if (is_shared)
		add_by_cpu(&all, run);
	if (all.by_cpu_ns > 0)
		finding->grade = grade_worse(finding->grade, GRADE_ESTIMATED);
	return all;
}
