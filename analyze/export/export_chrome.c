/* SPDX-License-Identifier: MIT */
/* The JSON trace format of Chrome ("Trace Event Format"), which Perfetto reads: lives of processes
 * and threads, T_i over time, and those waits that have instants: collective calls of MPI, and
 * waits that were open at the end. */
#include "analyze/base/memory.h"
#include "analyze/export/chrome.h"

#include <math.h>
#include <stdlib.h>

/* With more processes than this, T_i is written for the run only. */
#define COUNTERS_MAX 256

static void add_collectives(void *data, const struct profile *profile,
			    const struct process *process)
{
	struct chrome *chrome = data;

	chrome_collectives_add(chrome->collectives, profile, process->index,
			       chrome->offset_of[process->index]);
}

static void write_profile(void *data, const struct profile *profile, const struct process *process)
{
	struct chrome *chrome = data;

	chrome_write_threads(chrome, profile, process);
	if (chrome->export->run->process_count <= COUNTERS_MAX)
		chrome_write_lines(chrome, profile, process);
	chrome_write_collectives(chrome, profile, process);
}

static void write_end(struct chrome *chrome)
{
	const struct run *run = chrome->export->run;
	double error = run->mpi.is_used ? mpi_clocks_error(&run->mpi.clocks) : NAN;

	fputs("\n],\n\"displayTimeUnit\":\"ms\",\n\"otherData\":{\n", chrome->out);
	chrome_put_text(chrome, "command", run->command);
	fputs(",\n", chrome->out);
	chrome_put_text(chrome, "start", run->start);
	fputs(",\n", chrome->out);
	chrome_put_text(chrome, "exporter", "ptrace-export " PTRACE_VERSION);
	fputs(",\n", chrome->out);
	chrome_put_text(
		chrome, "what this is",
		"a summary over time, no event trace: single waits, samples and messages have no "
		"instants in a profile. There are lives of threads with their time by state, "
		"counters of average threads by bin, recorded collective calls of MPI (a sample "
		"where there were many) with an arrow from the rank that was awaited, and waits "
		"that were open at the end. Nothing between these means that nothing happened.");
	if (chrome->export->files->merged_count)
		fputs(",\n\"merged\":\"a merged run keeps no instants of threads and calls\"",
		      chrome->out);
	if (run->process_count > COUNTERS_MAX)
		fprintf(chrome->out, ",\n\"counters\":\"of the run only: more than %d processes\"",
			COUNTERS_MAX);
	if (run->host_count > 1) {
		fputs(",\n\"clock_error_us\":", chrome->out);
		if (isfinite(error))
			fprintf(chrome->out, "%.3f", error / 1000);
		else
			fputs("null", chrome->out);
	}
	fputs("}}\n", chrome->out);
}

void export_chrome(struct export *export)
{
	struct chrome chrome = {
		.export = export,
		.out = export->out,
		.separator = "",
		.collectives = chrome_collectives_create(),
	};

	chrome_read_clocks(&chrome);
	fputs("{\"traceEvents\":[", chrome.out);
	for (size_t i = 0; i < export->run->process_count; i++)
		chrome_write_process(&chrome, &export->run->processes[i]);
	chrome_write_run_lines(&chrome);
	if (export->run->mpi.is_used)
		export_profiles(export, add_collectives, &chrome);
	export_profiles(export, write_profile, &chrome);
	write_end(&chrome);
	chrome_collectives_destroy(chrome.collectives);
	free(chrome.offset_of);
}
