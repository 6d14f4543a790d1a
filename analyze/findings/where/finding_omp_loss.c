/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_omp_loss.h"

#include "analyze/findings/where/finding_where.h"
#include "analyze/model/openmp/omp_advice.h"
#include "analyze/model/run/run.h"

#include <math.h>

struct omp_loss omp_loss_of(const struct run *run, double (*lost_ns)(const struct omp_region *))
{
	struct omp_loss loss = {0};

	for (size_t i = 0; i < run->omp.regions.count; i++) {
		const struct omp_region *region = &run->omp.regions.rows[i];
		double ns = lost_ns(region);

		loss.sum_ns += ns;
		loss.regions += ns > 0;
		if (ns <= loss.worst_ns)
			continue;
		loss.worst_ns = ns;
		loss.worst = region;
	}
	return loss;
}

char *omp_region_text(const struct run *run, const struct omp_region *region)
{
	return names_place_text(run->names, region->place.routine, region->place.line);
}

bool finding_add_region(struct finding *finding, const struct run *run, const struct omp_loss *loss)
{
	return finding_add_place(finding, FINDING_REGION, run, &loss->worst->place, loss->worst_ns,
				 loss->sum_ns, loss->regions);
}

/* Who waits in the runtime may be ready to spin: that makes nobody's work longer. */
static double ready_at_work_ns(const struct omp_totals *totals)
{
	double in_waits_ns = fmax(0, totals->wait_ns - totals->spin_ns - totals->blocked_ns);

	return fmax(0, totals->ready_ns - in_waits_ns);
}

/* Nothing records where a thread was ready: as in thread_time_spin, for the same share of all in
 * which it was awake. NAN: unknown. */
static double worked_ns(const struct run *run, const struct omp_member *member)
{
	const struct thread_time *time =
		finding_thread_of(&run->processes[member->process], member->tid);
	double cpu_ns = time ? (double)thread_time_cpu(time) : 0;

	return cpu_ns > 0 ? (double)member->work_ns * cpu_ns / (cpu_ns + (double)time->ready_ns)
			  : NAN;
}

/* Of the members of one process, of which the first is given; *count: how many there are. NAN:
 * unknown. */
static double uneven_team_ns(const struct run *run, const struct omp_member *first, size_t rows,
			     size_t *count)
{
	double most_ns = 0, sum_ns = 0;

	for (*count = 0; *count < rows && first[*count].process == first->process; ++*count) {
		double ns = worked_ns(run, &first[*count]);

		most_ns = ns > most_ns ? ns : most_ns;
		sum_ns += ns;
	}
	return most_ns * (double)*count - sum_ns;
}

static double uneven_ns(const struct run *run, const struct omp_region *region)
{
	double ns = 0;
	size_t count;

	for (size_t i = 0; i < region->member_count; i += count) {
		double team_ns = uneven_team_ns(run, &region->member_rows[i],
						region->member_count - i, &count);

		ns += team_ns > 0 ? team_ns : 0;
	}
	return fmin(ns, omp_lost_by_imbalance(region));
}

double finding_omp_uneven_ns(const struct run *run, double lost_ns, struct finding *finding)
{
	double least_ns = fmax(0, lost_ns - ready_at_work_ns(&run->omp.totals)), ns = 0;

	for (size_t i = 0; i < run->omp.regions.count && least_ns < lost_ns; i++)
		ns += uneven_ns(run, &run->omp.regions.rows[i]);
	if (ns <= least_ns)
		return least_ns;
	finding->grade = grade_worse(finding->grade, GRADE_ESTIMATED);
	return ns;
}
