/* SPDX-License-Identifier: MIT */
/* The rule on pipelines of which one stage is slow: the others waited for it, as the waits at their
 * common pipes and sockets say (model/pipelines). */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/pipelines/pipeline_words.h"
#include "analyze/model/run/run.h"

#include <math.h>

static double known(double ns)
{
	return isnan(ns) ? 0 : ns;
}

/* CPU time of the slow stage beyond that of the next one: with less it is no longer the slowest. */
static double beyond_next_ns(const struct run *run, const struct pipeline *pipeline)
{
	double next_ns = 0;

	for (size_t i = 0; i < run->pipelines.stage_count; i++)
		if (i - pipeline->first < pipeline->count && i != pipeline->slow)
			next_ns = fmax(next_ns, known(run->pipelines.stages[i].busy_ns));
	return fmax(0, known(run->pipelines.stages[pipeline->slow].busy_ns) - next_ns);
}

static double waits_of_others_ns(const struct run *run, const struct pipeline *pipeline)
{
	double ns = run->pipelines.stages[pipeline->slow].watcher.ns;

	for (size_t i = pipeline->first; i < pipeline->first + pipeline->count; i++)
		if (i != pipeline->slow)
			ns += run->pipelines.stages[i].read_ns + run->pipelines.stages[i].write_ns;
	return ns;
}

static struct finding_loss loss_of(const struct run *run, const struct pipeline *pipeline)
{
	const struct stage *slow = &run->pipelines.stages[pipeline->slow];
	struct finding_loss loss = {.idle_ns = waits_of_others_ns(run, pipeline),
				    .longest_ns = stage_waited_for(slow).ns,
				    .cause_ns = beyond_next_ns(run, pipeline)};

	if (pipeline->verdict != PIPELINE_OUTSIDE)
		return loss;
	loss.idle_ns += slow->outside_ns;
	loss.cause_ns = slow->outside_ns;
	return loss;
}

/* x=$(command): a parent that takes what its child says, and does next to nothing besides. Whether
 * it reads or waits for the child's end, the child is what it runs. */
static bool is_call(const struct run *run, const struct pipeline *pipeline)
{
	const struct stage *slow = &run->pipelines.stages[pipeline->slow];
	size_t index = pipeline->first + (pipeline->slow == pipeline->first);
	const struct stage *other = &run->pipelines.stages[index];
	const struct process *child = &run->processes[slow->process];
	const struct process *parent = &run->processes[other->process];

	return pipeline->count == 2 && !slow->has_source &&
	       child->file->process.parent_pid == parent->file->header.pid &&
	       (double)parent->cpu_ns < finding_limits.pace_others * (double)child->cpu_ns;
}

/* Sleep of a stage, and its locks, are those of other rules. */
static bool is_judged(const struct run *run, const struct pipeline *pipeline)
{
	bool has_reason =
		pipeline->verdict == PIPELINE_BUSY || pipeline->verdict == PIPELINE_OUTSIDE;

	return has_reason && !is_call(run, pipeline);
}

/* A stage that is no more work than the others costs nothing: a cause of 0 would be one that is not
 * known. */
static double stake_of(const struct run *run, struct finding *finding,
		       const struct pipeline *pipeline)
{
	struct finding_loss loss = loss_of(run, pipeline);

	return loss.cause_ns > 0 ? finding_stake(run, finding, &loss) : 0;
}

static const struct pipeline *worst_of(const struct run *run)
{
	const struct pipeline *worst = NULL;
	double most = 0;

	for (size_t i = 0; i < run->pipelines.count; i++) {
		const struct pipeline *pipeline = &run->pipelines.rows[i];
		struct finding graded = {0};
		double stake = is_judged(run, pipeline) ? stake_of(run, &graded, pipeline) : 0;

		if (stake > most) {
			most = stake;
			worst = pipeline;
		}
	}
	return worst;
}

static double part_of(const struct pipeline *pipeline, const struct run *run,
		      const struct stage *stage)
{
	return pipeline->verdict == PIPELINE_BUSY ? (double)run->processes[stage->process].cpu_ns
						  : known(stage->outside_ns);
}

/* Of what the slow stage does, by stages; and its routine. */
static void add_where(struct finding *finding, const struct run *run,
		      const struct pipeline *pipeline)
{
	const struct stage *slow = &run->pipelines.stages[pipeline->slow];
	double whole = 0;

	for (size_t i = pipeline->first; i < pipeline->first + pipeline->count; i++)
		whole += part_of(pipeline, run, &run->pipelines.stages[i]);
	bool is_single =
		finding_add_step(finding, FINDING_PROCESS, stage_name(run->processes, slow),
				 part_of(pipeline, run, slow), whole, pipeline->count);

	if (is_single && pipeline->verdict == PIPELINE_BUSY)
		finding_add_routine_of(finding, run, &run->processes[slow->process]);
}

static enum grade grade_of(const struct run *run, const struct pipeline *pipeline)
{
	enum grade grade = run->pipelines.stages[pipeline->slow].watcher.ns > 0 ? GRADE_ESTIMATED
										: GRADE_EXACT;

	for (size_t i = pipeline->first; i < pipeline->first + pipeline->count; i++) {
		size_t process = run->pipelines.stages[i].process;

		grade = grade_worse(grade, run->processes[process].sum.blocked_grade);
	}
	return grade;
}

double judge_slow_stage(const struct run *run, struct finding *finding)
{
	/* ranks that speak through sockets wait in MPI */
	const struct pipeline *pipeline = run->mpi.ranks.count ? NULL : worst_of(run);

	if (!pipeline)
		return NAN;
	finding->evidence = pipeline_sentence(&run->pipelines, pipeline, run->processes);
	finding->grade = grade_of(run, pipeline);
	if (pipeline->verdict == PIPELINE_OUTSIDE) {
		finding->title = "a pipeline waits for what one of its stages waits for";
		finding->advice = "Read ahead in this stage, or feed it from something faster; the "
				  "section io shows for what it waits.";
	}
	add_where(finding, run, pipeline);
	return stake_of(run, finding, pipeline);
}

double finding_stage_blocked_ns(const struct run *run, unsigned causes)
{
	double ns = 0;

	for (size_t i = 0; i < run->pipelines.stage_count; i++) {
		const struct stage *stage = &run->pipelines.stages[i];
		size_t slow = run->pipelines.rows[stage->pipeline].slow;

		if (slow == i)
			continue;
		ns += causes & FINDING_CAUSE(READ) ? stage->read_ns : 0;
		ns += causes & FINDING_CAUSE(WRITE) ? stage->write_ns : 0;
	}
	return ns;
}
