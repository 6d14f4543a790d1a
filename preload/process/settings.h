/* SPDX-License-Identifier: MIT */
/* What the user asked for: the PTRACE_* variables, read once at start-up and never again (getenv on
 * a hot path has deadlocked other tools, and a program may change its environment). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct settings {
	const char *output;        /* PTRACE_OUTPUT: run directory; NULL: PROGRAM.ptrace.N here */
	uint64_t sample_period_ns; /* PTRACE_SAMPLE=HZ: CPU time between samples; 0: none */
	bool sync;                 /* PTRACE_SYNC=0: locks and other waits are not measured */
	bool mpi;                  /* PTRACE_MPI=0: calls of MPI are not measured */
	bool openmp;               /* PTRACE_OPENMP=0: OpenMP is not measured */
	int omp_wait_policy;       /* OMP_WAIT_POLICY: enum omp_wait_policy */
	bool omp_has_tool;         /* OMP_TOOL_LIBRARIES names another tool */
	bool omp_tool_is_disabled; /* OMP_TOOL=disabled */
	bool omp_is_bound;         /* OMP_PROC_BIND is set, and not to false */
	bool switches;             /* PTRACE_SWITCHES=0: no context-switch records */
	int quick_clock;           /* PTRACE_CLOCK=counter, kernel: enum quick_clock; 0: judged */
	/* PTRACE_BUDGET: own cost, in percent of CPU time, above which it measures less: fewer
	 * switch records (concurrency/switch_windows.c), fewer samples (samples/sampler.c), fewer
	 * waits in full (locks/wait_rate.c) */
	uint32_t budget_percent;
	const char *section_hooks;    /* PTRACE_SECTION_HOOKS: section_routines.h; NULL: none */
	const char *section_routines; /* PTRACE_SECTION_ROUTINE: names, by commas; NULL: none */
	const char *events;  /* PTRACE_EVENTS, PTRACE_METRICS: counters/event_list.h; NULL: not */
	const char *metrics; /* set. Valid while the library starts */
};

extern struct settings settings;

/* From the environment; or, for a program that runs already, from texts NAME=VALUE, each with its
 * NUL, the last followed by another one: they are copied. False: they are too long. */
void settings_read(void);
bool settings_read_given(const char *texts);
