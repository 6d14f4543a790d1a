/* SPDX-License-Identifier: MIT */
/* A program that has a tool of its own for OMPT, which counts regions and their members. As a
 * library (TOOL_ALONE) it is one for OMP_TOOL_LIBRARIES. Known: what it counts. A runtime without
 * OMPT calls no tool: then the counts are 0. */
#include <omp-tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int regions, members, begun;

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
			      unsigned wanted, int flags, const void *code)
{
	(void)task, (void)frame, (void)parallel, (void)wanted, (void)flags, (void)code;
	__atomic_add_fetch(&regions, 1, __ATOMIC_SEQ_CST);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
			     ompt_data_t *task, unsigned team, unsigned number, int flags)
{
	(void)parallel, (void)task, (void)team, (void)number;
	if (endpoint == ompt_scope_begin && !(flags & ompt_task_initial))
		__atomic_add_fetch(&members, 1, __ATOMIC_SEQ_CST);
}

static int begin(ompt_function_lookup_t lookup, int device, ompt_data_t *tool)
{
	(void)device, (void)tool;
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
	set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
	set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
	begun++;
	return 1;
}

static void tell(void)
{
	const char *path = getenv("TOOL_FILE");
	FILE *file = path ? fopen(path, "w") : NULL;

	if (!file)
		return;
	fprintf(file, "{\"begun\": %d, \"regions\": %d, \"members\": %d}\n", begun, regions,
		members);
	fclose(file);
}

static void finish(ompt_data_t *tool)
{
	(void)tool;
	tell();
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = {begin, finish, {0}};
	(void)version, (void)runtime;
	return &result;
}

#ifndef TOOL_ALONE
#include "omp_truth.h"

enum { EXECUTIONS = 7 };

static NOINLINE void watched(void)
{
	struct region_run run = REGION();
#pragma omp parallel
	{
		struct stretch mine = stretch_begin();
		burn(0.001);
		stretch_end(&run, &mine);
	}
	region_end(&run);
	KEEP;
}

int main(void)
{
	for (int i = 0; i < EXECUTIONS; i++)
		watched();
	if (!strcmp(runtime_name(), "libomp")) {
		check(begun == 1, "the program's own tool has begun");
		check(regions == EXECUTIONS, "regions that it counted");
		check(members == EXECUTIONS * omp_get_max_threads(), "members that it counted");
	}
	truth("begun", begun);
	truth("regions", regions);
	counted("parallel", EXECUTIONS);
	return end();
}
#endif
