/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_sampled.h"

#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <string.h>

/* What stdio calls is its own business. */
#define STDIO "_IO_"

static const struct routine *routine_of(const struct run *run, size_t node)
{
	return names_routine(run->names, run->paths.nodes[node].routine);
}

/* The profiler stands between the program and the call: its frames have no module. */
static bool is_in_call(const struct run *run, size_t node, bool (*is_call)(const char *name))
{
	bool is_found = false;

	if (!strcmp(routine_of(run, node)->name, NAMES_PROFILER))
		return false;
	for (; node; node = run->paths.nodes[node].parent) {
		const struct routine *routine = routine_of(run, node);

		if (*routine->module && !routine->is_runtime)
			break;
		if (!strncmp(routine->name, STDIO, strlen(STDIO)))
			return false;
		is_found |= is_call(routine->name);
	}
	return is_found;
}

double finding_sampled_ns(const struct run *run, bool (*is_call)(const char *name))
{
	double ns = 0, samples = 0;

	for (size_t i = 1; i < run->paths.count; i++) {
		const struct path_node *node = &run->paths.nodes[i];

		if (node->kind != PATH_CODE || !node->self.cpu_ns || !is_in_call(run, i, is_call))
			continue;
		ns += (double)node->self.cpu_ns;
		samples += (double)node->self.samples;
	}
	return samples >= finding_limits.call_samples ? ns : 0;
}
