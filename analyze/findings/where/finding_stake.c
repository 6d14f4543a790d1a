/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_stake.h"

#include "analyze/findings/where/finding_crowd.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/model/run/run.h"

#include <math.h>

/* For several processes the useful time is not measured: it is their CPU time without what they are
 * known to have spent waiting on a processor. */
static double used_by_several(const struct run *run)
{
	double waiting_ns = run->mpi.ranks.count ? finding_polling_ns(&run->mpi.ranks)
						 : run->omp.totals.spin_ns;

	return fmax(0, (double)run->cpu_ns - waiting_ns);
}

static double width_of(const struct run *run)
{
	double threads = (double)finding_threads_wanting(run);

	return fmin(fmax(1, threads), (double)run->processors);
}

/* What others took of the processors stays taken, if the program is cured of waiting. */
static void take_off_others(const struct run *run, struct finding_whole *whole)
{
	double all_ns = whole->elapsed_ns * whole->width;

	whole->cpu_ns = (double)run->cpu_ns;
	whole->taken_ns = fmin(finding_taken_ns(run), fmax(0, all_ns - whole->used_ns));
	if (whole->taken_ns > 0)
		whole->grade = grade_worse(whole->grade, GRADE_ESTIMATED);
}

static struct finding_whole whole_of_threads(const struct run *run)
{
	struct finding_whole whole = {.elapsed_ns = (double)run->elapsed_ns,
				      .width = width_of(run)};

	whole.threads = fmax(whole.width, finding_threads_on_average(run));
	whole.most_threads = fmax(whole.threads, (double)finding_threads_wanting(run));
	double capacity_ns = finding_capacity_ns(run);

	if (run->process_count != 1) {
		whole.used_ns = fmin(capacity_ns, used_by_several(run));
		return whole;
	}
	whole.used_ns = capacity_ns * finding_used(run) / 100;
	if (finding_used(run) < run->efficiency_percent)
		whole.grade = run->useful.grade;
	return whole;
}

struct finding_whole finding_whole_of(const struct run *run)
{
	struct finding_whole whole = whole_of_threads(run);

	take_off_others(run, &whole);
	return whole;
}

struct finding_whole finding_whole_of_ranks(const struct run *run)
{
	const struct mpi_efficiency *efficiency = &run->mpi.efficiency;
	double all_ns = efficiency->elapsed_ns * (double)efficiency->units;
	bool is_known = isfinite(efficiency->parallel);

	struct finding_whole whole = {.elapsed_ns =
					      fmin(efficiency->elapsed_ns, (double)run->elapsed_ns),
				      .used_ns = is_known ? efficiency->parallel * all_ns
							  : fmin(all_ns, used_by_several(run)),
				      .width = (double)efficiency->units,
				      .threads = (double)efficiency->units,
				      .most_threads = (double)efficiency->units,
				      .grade = is_known ? efficiency->grade : GRADE_ESTIMATED};

	take_off_others(run, &whole);
	return whole;
}

/* What would be left of the elapsed time if no thread were ever idle. busy_ns: used or taken. Who
 * did not wait might have lived for a shorter time, beside all the others: they are not shared out
 * to the threads on average. */
static double least_ns(const struct finding_whole *whole, double busy_ns, double rest_ns)
{
	return fmax(busy_ns / whole->width, (busy_ns + rest_ns) / whole->most_threads);
}

/* Of what others took: who needs less CPU time also waits less for it. */
static double still_taken_ns(const struct finding_whole *whole, double cpu_ns)
{
	return whole->cpu_ns > 0 ? whole->taken_ns * fmax(0, 1 - cpu_ns / whole->cpu_ns)
				 : whole->taken_ns;
}

double finding_stake_ns(const struct finding_whole *whole, const struct finding_loss *loss,
			struct finding *finding)
{
	double all_ns = whole->elapsed_ns * whole->width;
	double work_ns = fmin(loss->work_ns, whole->used_ns);
	double used_ns = fmin(whole->used_ns - work_ns, all_ns);
	double taken_ns = still_taken_ns(whole, work_ns + loss->spun_ns);
	double lost_ns = fmin(loss->idle_ns + work_ns, all_ns - used_ns - taken_ns);
	double own_ns = loss->cause_ns > 0 ? fmin(loss->cause_ns, lost_ns) : lost_ns;

	if (!(lost_ns > 0))
		return 0;
	double rest_ns = loss->rest_ns * whole->width / whole->threads;
	double won_ns = lost_ns + whole->taken_ns - taken_ns;
	double at_rate_ns = whole->elapsed_ns * won_ns / (used_ns + taken_ns + rest_ns + won_ns);
	double least = least_ns(whole, used_ns + taken_ns, loss->rest_ns);
	double left_ns = fmax(0, whole->elapsed_ns - least);
	double stake_ns = fmin(left_ns, fmax(at_rate_ns, loss->longest_ns));

	if (stake_ns < own_ns)
		finding->grade = grade_worse(finding->grade, whole->grade);
	return fmin(stake_ns, own_ns);
}

double finding_percent(const struct run *run, double stake_ns)
{
	if (!run->elapsed_ns || !run->processors)
		return NAN;
	return fmin(100, fmax(0, 100 * stake_ns / (double)run->elapsed_ns));
}

/* ---- threads that take turns */

struct readiness {
	double ready_ns, share_ns; /* share: of each thread's life, weighted by its ready time */
};

static void add_readiness(struct readiness *sum, const struct thread_time *time)
{
	double ready_ns = (double)time->ready_ns;

	if (!time->lifetime_ns)
		return;
	sum->ready_ns += ready_ns;
	sum->share_ns += ready_ns * fmin(1, ready_ns / (double)time->lifetime_ns);
}

/* Each thread is shorter by the share of its life for which it was ready, those that were ready
 * most count most; but the work takes as long as all processors need for it. What the program's own
 * threads explain of it is in it as well, so this is rather too short, and a stake rather too low.
 */
static double undisturbed_ns(const struct run *run, const struct finding_whole *whole)
{
	struct readiness sum = {0};

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		for (size_t j = 0; process->threads && j < process->thread_count; j++)
			add_readiness(&sum, &process->threads[j]);
		if (!process->threads)
			add_readiness(&sum, &process->sum);
	}
	double share = sum.ready_ns > 0 ? sum.share_ns / sum.ready_ns : 0;

	return fmax(whole->used_ns / whole->width, whole->elapsed_ns * (1 - share));
}

static double stake_of_turns(const struct run *run, const struct finding_whole *whole,
			     const struct finding_loss *loss, struct finding *finding)
{
	struct finding_whole alone = *whole;

	alone.elapsed_ns = undisturbed_ns(run, whole);
	alone.taken_ns = 0;
	return finding_stake_ns(&alone, loss, finding) * whole->elapsed_ns / alone.elapsed_ns;
}

double finding_stake(const struct run *run, struct finding *finding,
		     const struct finding_loss *loss)
{
	struct finding_whole whole = finding_whole_of(run);
	double stake_ns = finding_stake_ns(&whole, loss, finding);

	if (!loss->is_of_turns || !(whole.taken_ns > 0))
		return finding_percent(run, stake_ns);
	double of_turns_ns = stake_of_turns(run, &whole, loss, finding);

	if (of_turns_ns > stake_ns)
		finding->grade = grade_worse(finding->grade, GRADE_ESTIMATED);
	return finding_percent(run, fmax(stake_ns, of_turns_ns));
}

double finding_stake_of_ranks(const struct run *run, struct finding *finding, double lost_ns,
			      double longest_ns, double cause_ns)
{
	struct finding_whole whole = finding_whole_of_ranks(run);
	const struct finding_loss loss = {
		.idle_ns = lost_ns, .longest_ns = longest_ns, .cause_ns = cause_ns};

	return finding_percent(run, finding_stake_ns(&whole, &loss, finding));
}

/* The gain in elapsed time is the processors' time that the program did not get. */
void finding_add_ready_stake(const struct run *run, struct finding *finding, double ready_ns)
{
	const struct finding_loss loss = {.idle_ns = ready_ns};
	const struct finding_whole whole = whole_of_threads(run);
	struct finding graded = {0}; /* the grade is that of the severity, which is exact */

	finding->elapsed_percent = finding_percent(run, finding_stake_ns(&whole, &loss, &graded));
}
