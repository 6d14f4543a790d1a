/* SPDX-License-Identifier: MIT */
/* The rule on two pools of threads, of which one spins while the other one works. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_ready.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <string.h>

/* Threads of one role that are no members of OpenMP teams. */
struct pool {
	const struct thread_time *spinner; /* NULL: there is none */
	uint64_t threads;
};

static bool may_be_of_pool(const struct thread_time *time)
{
	return time->role &&
	       !(time->thread->flags & (THREAD_FIRST | THREAD_OF_OPENMP | THREAD_OF_MPI));
}

static double spun_in_ns(const struct run *run, const struct routine_time *row)
{
	return (double)row->waiting_ns +
	       (finding_is_yield(run, row) ? finding_yield_of_program_ns(row) : 0);
}

/* Where threads spin most, outside of the OpenMP runtime; NULL: nowhere. */
static const struct routine_time *spun_most(const struct run *run)
{
	const struct routine_time *most = NULL;
	double most_ns = 0;

	for (size_t i = 0; i < run->routines.count; i++) {
		double ns = spun_in_ns(run, &run->routines.rows[i]);

		if (ns <= most_ns)
			continue;
		most = &run->routines.rows[i];
		most_ns = ns;
	}
	return most;
}

static const struct thread_time *busiest_of(const struct process *process)
{
	const struct thread_time *busiest = NULL;

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];

		if (may_be_of_pool(time) &&
		    (!busiest || thread_time_cpu(time) > thread_time_cpu(busiest)))
			busiest = time;
	}
	return busiest;
}

/* That of the thread that spins most. If it is the first one, which waits for them as well, that of
 * the busiest thread: who spins is busy. */
static const struct thread_time *spinner_of(const struct process *process,
					    const struct routine_time *spun)
{
	const struct thread_time *most =
		spun ? finding_thread_of(process, spun->spread.max_at.tid) : NULL;

	if (most && most->thread->flags & THREAD_FIRST)
		return busiest_of(process);
	return most && may_be_of_pool(most) ? most : NULL;
}

static struct pool pool_of(const struct run *run)
{
	const struct process *process = run->focus;
	struct pool pool = {.spinner = spinner_of(process, spun_most(run))};

	for (size_t i = 0; i < process->thread_count && pool.spinner; i++) {
		const struct thread_time *time = &process->threads[i];

		if (may_be_of_pool(time) && !strcmp(time->role, pool.spinner->role))
			pool.threads += time->thread->lives;
	}
	return pool;
}

/* CPU time of waiting on processors. */
struct spinning {
	double of_teams, of_others;
};

static struct spinning spinning_of(const struct run *run)
{
	uint64_t yields = 0;

	return (struct spinning){
		.of_teams = run->omp.totals.spin_ns,
		.of_others = finding_yield_ns(run, &yields) + finding_busy_ns(run),
	};
}

/* Both of them, for so long that it is no accident. */
static bool both_spin(const struct run *run, const struct spinning *spinning)
{
	double least_ns = finding_limits.part * (double)run->cpu_ns;

	return spinning->of_teams >= least_ns && spinning->of_others >= least_ns;
}

/* Each has enough processors for itself, and both together have not. */
static bool are_too_many(const struct run *run, const struct pool *pool)
{
	const struct omp_totals *totals = &run->omp.totals;

	return pool->spinner &&
	       (double)thread_time_cpu(pool->spinner) >=
		       finding_limits.part * (double)run->cpu_ns &&
	       totals->threads > 1 && totals->threads <= totals->processors &&
	       pool->threads <= totals->processors &&
	       totals->threads + pool->threads > totals->processors;
}

/* Waits for spinlocks may be others'. */
static void tell_of_yields(const struct run *run, struct finding *finding)
{
	for (size_t i = 0; i < run->synchronization.count; i++)
		if (run->synchronization.rows[i].operation == OP_YIELD)
			finding_tell_object(finding, run->synchronization.rows[i].object);
}

/* Who spins keeps others from a processor for as long as these are ready. */
double judge_spinning_pools(const struct run *run, struct finding *finding)
{
	const struct omp_totals *totals = &run->omp.totals;
	struct spinning spinning = spinning_of(run);
	double spun_ns = spinning.of_teams + spinning.of_others;
	double lost_ns = fmin(spun_ns, finding_explained_ready_ns(run));

	if (!is_told_by_openmp(run) || is_omp_oversubscribed(run) || run->mpi.ranks.count ||
	    !both_spin(run, &spinning))
		return NAN;
	struct pool pool = pool_of(run);

	if (!are_too_many(run, &pool))
		return NAN;
	finding->evidence = memory_print(
		"OpenMP teams of up to %s and %s of %s on %s: of %s CPU time the teams' members "
		"spun for %s, others for %s",
		quantity_things((double)totals->threads, "thread").text,
		quantity_things((double)pool.threads, "thread").text, pool.spinner->role,
		quantity_things((double)totals->processors, "processor").text,
		quantity_seconds((double)run->cpu_ns).text,
		quantity_seconds(spinning.of_teams).text,
		quantity_seconds(spinning.of_others).text);
	tell_of_yields(run, finding);
	finding->grade = GRADE_ESTIMATED; /* it is not known who spun while another one was ready */
	const struct finding_loss loss = {
		.idle_ns = lost_ns * spinning.of_teams / spun_ns,
		.spun_ns = lost_ns * spinning.of_teams / spun_ns,
		.work_ns = lost_ns * spinning.of_others / spun_ns,
	};

	return finding_stake(run, finding, &loss);
}
