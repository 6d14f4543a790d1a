/* SPDX-License-Identifier: MIT */
/* The steps by which pipelines.c makes pipelines out of connections. */
#pragma once

#include "analyze/model/pipelines/pipelines.h"

/* What the stages did with their time (pipelines_stages.c). */
void pipelines_fill_stages(struct pipelines *all, const struct process *processes,
			   const size_t *stage_of);
/* Who waited longest for each of them (pipelines_waiters.c). */
void pipelines_find_waiters(struct pipelines *all, const size_t *stage_of);
/* The slow stage of each pipeline (pipelines_verdict.c). */
void pipelines_judge(struct pipelines *all);
