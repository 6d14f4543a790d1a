/* SPDX-License-Identifier: MIT */
#include "analyze/diff/extract.h"

#include "analyze/base/memory.h"

#include <math.h>
#include <string.h>

const struct diff_extractor diff_extractors[] = {
	{SECTION_OVERVIEW, extract_overview}, {SECTION_CONCURRENCY, extract_concurrency},
	{SECTION_SECTIONS, extract_sections}, {SECTION_STATES, extract_states},
	{SECTION_ROUTINES, extract_routines}, {SECTION_LINES, extract_lines},
	{SECTION_PATHS, extract_paths},       {SECTION_WAITS, extract_synchronization},
	{SECTION_REQUESTS, extract_requests}, {SECTION_MPI, extract_mpi},
	{SECTION_OPENMP, extract_openmp},     {SECTION_COUNTERS, extract_counters},
	{SECTION_TABLES, extract_tables},
};
const size_t diff_extractor_count = sizeof diff_extractors / sizeof *diff_extractors;

static double average_threads(const struct run *run, const struct idle *idle)
{
	double sum = -idle->lifetime_ns;

	for (size_t i = 0; i < run->process_count; i++) {
		const struct thread_time *time = &run->processes[i].sum;

		sum += (double)time->lifetime_ns - (double)time->by_cause_ns[CAUSE_JOIN] -
		       (double)time->by_cause_ns[CAUSE_PROCESS];
	}
	return fmax(1, sum / (double)run->elapsed_ns);
}

static double average_processes(const struct run *run)
{
	double sum = 0;

	for (size_t i = 0; i < run->process_count; i++)
		sum += fmin((double)run->processes[i].cpu_ns, (double)run->processes[i].elapsed_ns);
	return fmax(1, sum / (double)run->elapsed_ns);
}

struct figures *extract_figures(const struct run *run)
{
	struct extract extract = {
		.figures = figures_create(),
		.run = run,
		.report = {.run = run},
		.busy = fmax(1, run->average_processors),
		.idle = extract_idle(run),
		.processes = run->elapsed_ns ? average_processes(run) : NAN,
	};

	extract.threads = run->elapsed_ns ? average_threads(run, &extract.idle) : NAN;
	extract.load = extract_load(run, extract.threads);
	extract.figures->neighbours = extract.load.processors;
	for (size_t i = 0; i < diff_extractor_count; i++)
		diff_extractors[i].extract(&extract);
	return extract.figures;
}
