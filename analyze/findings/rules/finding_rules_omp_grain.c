/* SPDX-License-Identifier: MIT */
/* Regions, pieces and tasks that are too small. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_omp_loss.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/openmp/omp_advice.h"
#include "analyze/model/run/omp_runtime.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

double judge_omp_short_regions(const struct run *run, struct finding *finding)
{
	struct omp_loss loss = omp_loss_of(run, omp_lost_in_forks);

	if (!loss.worst)
		return NAN;
	const struct omp_region *worst = loss.worst;
	char *place = omp_region_text(run, worst);

	finding->evidence =
		memory_print("%s for starting and ending teams of short regions; most in %s: %.0f "
			     "executions of %s",
			     quantity_seconds(loss.sum_ns).text, place, worst->count,
			     quantity_seconds(worst->elapsed_ns / worst->count).text);
	free(place);
	finding_add_region(finding, run, &loss);
	return finding_stake(run, finding, &(struct finding_loss){.idle_ns = loss.sum_ns});
}

static const struct omp_construct_row *most_pieces(const struct omp_region *region)
{
	const struct omp_construct_row *most = NULL;

	for (size_t i = 0; i < region->construct_count; i++) {
		const struct omp_construct_row *row = &region->constructs[i];

		if (row->pieces > 0 && (!most || row->pieces > most->pieces))
			most = row;
	}
	return most;
}

/* Two cache lines travel with each small piece from member to member: that of the counter, which is
 * all that the runtime works on, and that of the data next to the last piece. The second one takes
 * as long as the first. */
static double turns_ns(const struct run *run)
{
	double pieces = 0, work_ns = 0;

	for (size_t i = 0; i < run->omp.regions.count; i++) {
		const struct omp_region *region = &run->omp.regions.rows[i];
		double small = omp_small_pieces(region);

		pieces += small;
		work_ns += small > 0 ? region->work_ns : 0;
	}
	return fmin(work_ns, 2 * fmin(finding_limits.omp_line * pieces, omp_runtime_work_ns(run)));
}

static char *pieces_text(const struct run *run, const struct omp_loss *loss,
			 const struct omp_construct_row *row, double turns)
{
	char *place = names_place_text(run->names, row->routine, (unsigned)row->line);
	bool is_more = turns > loss->sum_ns;
	char *more = is_more ? memory_print(", about %s with the memory that members take "
					    "from each other",
					    quantity_seconds(turns).text)
			     : memory_copy_text("");
	char *text = memory_print("%s in handing out pieces of loops%s; most in %s: %.0f "
				  "pieces with %s of work each%s",
				  quantity_seconds(loss->sum_ns).text, more, place, row->pieces,
				  quantity_seconds(loss->worst->work_ns / row->pieces).text,
				  is_more ? ", all of that included" : "");

	free(place);
	free(more);
	return text;
}

/* Members take pieces themselves: this is not waiting and looks like useful time. */
double judge_omp_small_pieces(const struct run *run, struct finding *finding)
{
	struct omp_loss loss = omp_loss_of(run, omp_lost_in_scheduling);
	const struct omp_construct_row *row = loss.worst ? most_pieces(loss.worst) : NULL;
	double turns = turns_ns(run);
	const struct finding_loss work = {.work_ns = fmax(loss.sum_ns, turns)};

	if (!row)
		return NAN;
	finding->evidence = pieces_text(run, &loss, row, turns);
	finding->grade = turns > loss.sum_ns ? GRADE_ESTIMATED : GRADE_SAMPLED;
	finding_add_region(finding, run, &loss);
	return finding_stake(run, finding, &work);
}

/* CPU time that tasks cost besides waiting: it looks like useful time. */
static double small_tasks_work_ns(const struct run *run)
{
	double tasks = 0;

	for (size_t i = 0; i < run->omp.regions.count; i++)
		tasks += omp_small_tasks(&run->omp.regions.rows[i]);
	return fmin(finding_limits.omp_task * tasks, omp_machinery_work_ns(run));
}

static char *small_tasks_text(const struct run *run, const struct omp_task_row *most,
			      const struct finding_loss *loss)
{
	char *place = names_place_text(run->names, most->routine, (unsigned)most->line);
	char *work = loss->work_ns > 0 ? memory_print(", and about %s of work on that",
						      quantity_seconds(loss->work_ns).text)
				       : memory_copy_text("");
	char *text = memory_print(
		"%s of waiting while tasks were made, queued and fetched%s; most by %s: %.0f "
		"tasks with %s of work each",
		quantity_seconds(loss->idle_ns).text, work, place, most->executed,
		quantity_seconds(most->work_ns / most->executed).text);

	free(place);
	free(work);
	return text;
}

double judge_omp_small_tasks(const struct run *run, struct finding *finding)
{
	struct omp_loss loss = omp_loss_of(run, omp_lost_in_small_tasks);
	const struct omp_task_row *most = NULL;

	for (size_t i = 0; loss.worst && i < loss.worst->task_count; i++)
		if (!most || loss.worst->tasks[i].executed > most->executed)
			most = &loss.worst->tasks[i];
	if (!most || most->executed <= 0)
		return NAN;
	const struct finding_loss all = {.idle_ns = loss.sum_ns,
					 .work_ns = small_tasks_work_ns(run)};

	finding->evidence = small_tasks_text(run, most, &all);
	finding->grade = all.work_ns > 0 ? GRADE_ESTIMATED : GRADE_EXACT;
	finding_add_region(finding, run, &loss);
	return finding_stake(run, finding, &all);
}
