/* SPDX-License-Identifier: MIT */
#include "event_code.h"

#include <linux/perf_event.h>

bool event_code_is_software(const struct event_code *code)
{
	return code->type == PERF_TYPE_SOFTWARE || code->type == PERF_TYPE_TRACEPOINT;
}

bool event_code_is_clock(const struct event_code *code)
{
	return code->type == PERF_TYPE_SOFTWARE && (code->config == PERF_COUNT_SW_CPU_CLOCK ||
						    code->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* Measured: opened for the user alone, context-switches remains 0 over five sleeps, page-faults
 * does not. The kernel compares with where the event is raised (perf_exclude_event). */
bool event_code_is_kernels(const struct event_code *code)
{
	enum { CGROUP_SWITCHES = 11 /* PERF_COUNT_SW_CGROUP_SWITCHES, Linux 5.13 */ };

	return code->type == PERF_TYPE_TRACEPOINT ||
	       (code->type == PERF_TYPE_SOFTWARE &&
		(code->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		 code->config == PERF_COUNT_SW_CPU_MIGRATIONS || code->config == CGROUP_SWITCHES));
}

bool event_code_equal(const struct event_code *a, const struct event_code *b)
{
	return a->type == b->type && a->flags == b->flags && a->config == b->config &&
	       a->config1 == b->config1 && a->config2 == b->config2;
}
