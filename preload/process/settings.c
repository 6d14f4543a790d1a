/* SPDX-License-Identifier: MIT */
#include "preload/process/settings.h"

#include "preload/base/environment.h"
#include "preload/file/vocabulary.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct settings settings;

enum {
	DEFAULT_HERTZ = 200,
	MOST_HERTZ = 10000,
	DEFAULT_BUDGET_PERCENT = 2,
};

/* Of a program that was attached to: what stands in for its environment; empty: nothing does. */
static char given[8192];

static const char *variable(const char *name)
{
	size_t length = strlen(name);

	if (!given[0])
		return environment_value(name);
	for (const char *at = given; *at; at += strlen(at) + 1)
		if (!strncmp(at, name, length) && at[length] == '=')
			return at + length + 1;
	return NULL;
}

static long number(const char *name, long otherwise, long least, long most)
{
	const char *text = variable(name);
	char *end;

	if (!text || !*text)
		return otherwise;
	long value = strtol(text, &end, 10);
	/* ptrace-run has checked its options; for a variable set by hand a bad value means the
	 * default, not an abort */
	return *end || value < least || value > most ? otherwise : value;
}

static int quick_clock(void)
{
	const char *text = variable("PTRACE_CLOCK");

	return !text                      ? QUICK_CLOCK_UNKNOWN
	       : !strcmp(text, "counter") ? QUICK_CLOCK_COUNTER
	       : !strcmp(text, "kernel")  ? QUICK_CLOCK_KERNEL
					  : QUICK_CLOCK_UNKNOWN;
}

/* Not our variables, but they explain how OpenMP threads wait. */
static void read_openmp(void)
{
	const char *policy = environment_value("OMP_WAIT_POLICY"),
		   *bound = environment_value("OMP_PROC_BIND");
	const char *tools = environment_value("OMP_TOOL_LIBRARIES");

	const char *tool = environment_value("OMP_TOOL");

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
	const char *output = variable("PTRACE_OUTPUT");
	long hertz = number("PTRACE_SAMPLE", DEFAULT_HERTZ, 0, MOST_HERTZ);

	settings.output = output && *output ? output : NULL;
	settings.sample_period_ns = hertz ? 1000000000u / (uint64_t)hertz : 0;
	settings.sync = number("PTRACE_SYNC", 1, 0, 1);
	settings.mpi = number("PTRACE_MPI", 1, 0, 1);
	settings.openmp = number("PTRACE_OPENMP", 1, 0, 1);
	read_openmp();
	settings.switches = number("PTRACE_SWITCHES", 1, 0, 1);
	settings.quick_clock = quick_clock();
	settings.section_routines = variable("PTRACE_SECTION_ROUTINE");
	settings.section_hooks = variable("PTRACE_SECTION_HOOKS");
	settings.events = variable("PTRACE_EVENTS");
	settings.metrics = variable("PTRACE_METRICS");
	settings.budget_percent = (uint32_t)number("PTRACE_BUDGET", DEFAULT_BUDGET_PERCENT, 1, 100);
}

bool settings_read_given(const char *texts)
{
	const char *end = texts;

	while (*end)
		end += strlen(end) + 1;
	size_t bytes = (size_t)(end - texts) + 1;
	if (bytes > sizeof given)
		return false;
	memcpy(given, texts, bytes);
	settings_read();
	settings.events = settings.metrics = NULL; /* threads that exist cannot open them */
	return true;
}
