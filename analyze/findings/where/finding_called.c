/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_called.h"

#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <string.h>

static const struct routine *routine_of(const struct run *run, size_t node)
{
	return names_routine(run->names, run->paths.nodes[node].routine);
}

static bool is_profiler(const struct routine *routine)
{
	return !strcmp(routine->name, NAMES_PROFILER);
}

/* The node of the program's own code from which the call was made; 0: the sample is in none. */
static size_t user_of(const struct run *run, size_t node, bool (*is_call)(const char *name))
{
	bool is_found = false;

	for (; node; node = run->paths.nodes[node].parent) {
		const struct routine *routine = routine_of(run, node);

		if (is_profiler(routine) ? !is_found : *routine->module && !routine->is_runtime)
			break;
		is_found |= is_call(routine->name);
	}
	return is_found ? node : 0;
}

struct finding_called finding_called_of(const struct run *run, bool (*is_call)(const char *name))
{
	struct finding_called called = {0};

	for (size_t i = 1; i < run->paths.count; i++) {
		const struct path_node *node = &run->paths.nodes[i];
		size_t user =
			node->kind == PATH_CODE && node->self.cpu_ns ? user_of(run, i, is_call) : 0;

		if (!user)
			continue;
		finding_callers_add(&called.users, run->paths.nodes, user,
				    (double)node->self.cpu_ns);
		called.cpu_ns += (double)node->self.cpu_ns;
		called.samples += (double)node->self.samples;
	}
	return called;
}

static const char *plain_name(const char *name)
{
	static const char *const before[] = {"_", "GI_", "IO_", "libc_"};

	for (size_t i = 0; i < sizeof before / sizeof *before;) {
		size_t length = strlen(before[i]);
		bool is_before = !strncmp(name, before[i], length);

		name += is_before ? length : 0;
		i = is_before ? 0 : i + 1;
	}
	return name;
}

bool finding_is_named(const char *name, const char *const *names, size_t count)
{
	name = plain_name(name);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* What stdio calls is its own business. */
#define STDIO "_IO_"

/* The profiler stands between the program and the call: its frames have no module. */
static bool is_in_call(const struct run *run, size_t node, bool (*is_call)(const char *name),
		       bool is_of_stdio)
{
	bool is_found = false, is_in_stdio = false;

	if (is_profiler(routine_of(run, node)))
		return false;
	for (; node; node = run->paths.nodes[node].parent) {
		const struct routine *routine = routine_of(run, node);

		if (*routine->module && !routine->is_runtime)
			break;
		is_in_stdio |= !strncmp(routine->name, STDIO, strlen(STDIO));
		is_found |= is_call(routine->name);
	}
	return is_found && is_in_stdio == is_of_stdio;
}

double finding_sampled_ns(const struct run *run, bool (*is_call)(const char *name),
			  bool is_of_stdio)
{
	double ns = 0, samples = 0;

	for (size_t i = 1; i < run->paths.count; i++) {
		const struct path_node *node = &run->paths.nodes[i];

		if (node->kind != PATH_CODE || !node->self.cpu_ns ||
		    !is_in_call(run, i, is_call, is_of_stdio))
			continue;
		ns += (double)node->self.cpu_ns;
		samples += (double)node->self.samples;
	}
	return samples >= finding_limits.call_samples ? ns : 0;
}
