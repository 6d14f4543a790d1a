/* SPDX-License-Identifier: MIT */
#include "preload/process/settings.h"

#include "preload/file/vocabulary.h"

#include <stdlib.h>
#include <strings.h>

struct settings settings;

enum {
	DEFAULT_HERTZ = 200,
	MOST_HERTZ = 10000,
	DEFAULT_BUDGET_PERCENT = 2,
};

static long number(const char *name, long otherwise, long least, long most)
{
	const char *text = getenv(name);
	char *end;

	if (!text || !*text)
		return otherwise;
	long value = strtol(text, &end, 10);
	/* ptrace-run has checked its options; for a variable set by hand a bad value means the
	 * default, not an abort */
	return *end || value < least || value > most ? otherwise : value;
}

/* Not our variables, but they explain how OpenMP threads wait. */
static void read_openmp(void)
{
	const char *policy = getenv("OMP_WAIT_POLICY"), *bound = getenv("OMP_PROC_BIND");
	const char *tools = getenv("OMP_TOOL_LIBRARIES");

	const char *tool = getenv("OMP_TOOL");

	settings.omp_has_tool = tools && *tools;
	settings.omp_tool_is_disabled = tool && !strcasecmp(tool, "disabled");
	settings.omp_wait_policy = !policy                          ? OMP_WAIT_UNSET
				   : !strcasecmp(policy, "active")  ? OMP_WAIT_ACTIVE
				   : !strcasecmp(policy, "passive") ? OMP_WAIT_PASSIVE
								    : OMP_WAIT_UNSET;
	settings.omp_is_bound = bound && *bound && strcasecmp(bound, "false") != 0;
}

void settings_read(void)
{
	const char *output = getenv("PTRACE_OUTPUT");
	long hertz = number("PTRACE_SAMPLE", DEFAULT_HERTZ, 0, MOST_HERTZ);

	settings.output = output && *output ? output : NULL;
	settings.sample_period_ns = hertz ? 1000000000u / (uint64_t)hertz : 0;
	settings.sync = number("PTRACE_SYNC", 1, 0, 1);
	settings.mpi = number("PTRACE_MPI", 1, 0, 1);
	settings.openmp = number("PTRACE_OPENMP", 1, 0, 1);
	read_openmp();
	settings.switches = number("PTRACE_SWITCHES", 1, 0, 1);
	settings.events = getenv("PTRACE_EVENTS");
	settings.metrics = getenv("PTRACE_METRICS");
	settings.budget_percent = (uint32_t)number("PTRACE_BUDGET", DEFAULT_BUDGET_PERCENT, 1, 100);
}
