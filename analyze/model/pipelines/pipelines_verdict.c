/* SPDX-License-Identifier: MIT */
/* The slow stage of a pipeline: the one that another stage waits for, while it waits for none
 * itself. */
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/pipelines/pipelines_parts.h"

#include <math.h>

static double known(double ns)
{
	return isnan(ns) ? 0 : ns;
}

struct stage_waiter stage_waited_for(const struct stage *stage)
{
	struct stage_waiter most = stage->writer;

	if (stage->reader.ns > most.ns)
		most = stage->reader;
	return stage->watcher.ns > most.ns ? stage->watcher : most;
}

double stage_own_wait_ns(const struct stage *stage)
{
	return fmin(stage->elapsed_ns, stage->read_ns + stage->write_ns + known(stage->events_ns));
}

/* Short lives in a long pipeline keep nobody waiting for long. */
static bool is_slow(const struct pipeline *pipeline, const struct stage *stage)
{
	double waited_ns = stage_waited_for(stage).ns, own_ns = stage_own_wait_ns(stage);

	return waited_ns > 0 && waited_ns >= finding_limits.stage_waited * pipeline->elapsed_ns &&
	       own_ns <= finding_limits.stage_waits * stage->elapsed_ns && 2 * own_ns <= waited_ns;
}

static size_t slow_stage(const struct pipelines *all, const struct pipeline *pipeline)
{
	size_t slow = SIZE_MAX;

	for (size_t i = pipeline->first; i < pipeline->first + pipeline->count; i++)
		if (is_slow(pipeline, &all->stages[i]) &&
		    (slow == SIZE_MAX || stage_waited_for(&all->stages[i]).ns >
						 stage_waited_for(&all->stages[slow]).ns))
			slow = i;
	return slow;
}

/* Two that speak to each other and of which one waits whenever the other one works. */
static bool is_alternating(const struct pipelines *all, const struct pipeline *pipeline)
{
	const struct stage *stages = &all->stages[pipeline->first];

	if (pipeline->count != 2 || !stages[0].has_source || !stages[0].has_sink ||
	    !stages[1].has_source || !stages[1].has_sink)
		return false;
	return stage_own_wait_ns(&stages[0]) + stage_own_wait_ns(&stages[1]) >=
	       finding_limits.stage_turns * pipeline->elapsed_ns;
}

static enum pipeline_verdict reason_of(const struct stage *stage)
{
	double working_ns = stage->wanting_ns;
	double outside_ns = known(stage->outside_ns), other_ns = known(stage->other_ns);

	if (isnan(stage->other_ns))
		return 2 * working_ns >= stage->elapsed_ns ? PIPELINE_BUSY : PIPELINE_ITSELF;
	if (working_ns >= outside_ns && working_ns >= other_ns)
		return PIPELINE_BUSY;
	return outside_ns >= other_ns ? PIPELINE_OUTSIDE : PIPELINE_ITSELF;
}

void pipelines_judge(struct pipelines *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct pipeline *pipeline = &all->rows[i];

		pipeline->slow = SIZE_MAX;
		pipeline->verdict = PIPELINE_BALANCED;
		if (is_alternating(all, pipeline)) {
			pipeline->verdict = PIPELINE_ALTERNATING;
			continue;
		}
		pipeline->slow = slow_stage(all, pipeline);
		if (pipeline->slow != SIZE_MAX)
			pipeline->verdict = reason_of(&all->stages[pipeline->slow]);
	}
}
