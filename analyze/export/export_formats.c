/* SPDX-License-Identifier: MIT */
/* The formats: the one list from which the command line, --help and messages are made. */
#include "analyze/base/memory.h"
#include "analyze/base/progress.h"
#include "analyze/export/export.h"

#include <stdlib.h>
#include <string.h>

const struct export_format export_formats[] = {
	{"folded", ".folded", "call paths as lines of text, for flamegraph.pl and its relatives",
	 EXPORT_PATHS | EXPORT_MEASURE, export_folded},
	{"speedscope", ".speedscope.json",
	 "flame graphs of CPU time, time alone, waits and elapsed time", EXPORT_PATHS,
	 export_speedscope},
	{"chrome", ".json", "threads, waits and T_i over time, for Perfetto and chrome://tracing",
	 0, export_chrome},
	{"pprof", ".pb.gz", "CPU time and waits by call path, thread, rank and lock, for pprof",
	 EXPORT_BINARY, export_pprof},
	{"callgrind", ".callgrind", "CPU time and waits by line and call, for KCachegrind",
	 EXPORT_PATHS, export_callgrind},
	{"sqlite", ".sqlite", "all tables of the profiles, names and views as an SQLite database",
	 EXPORT_PROFILES | EXPORT_OWN_FILE, export_sqlite},
	{"extrap", ".txt", "times of several runs with more and more threads or ranks, for Extra-P",
	 EXPORT_RUNS, export_extrap},
};
const size_t export_format_count = sizeof export_formats / sizeof *export_formats;

const struct export_format *export_find_format(const char *name)
{
	for (size_t i = 0; i < export_format_count; i++)
		if (!strcmp(export_formats[i].name, name))
			return &export_formats[i];
	return NULL;
}

char *export_format_names(void)
{
	char *names = memory_copy_text(export_formats[0].name);

	for (size_t i = 1; i < export_format_count; i++) {
		char *longer = memory_print("%s, %s", names, export_formats[i].name);

		free(names);
		names = longer;
	}
	return names;
}

/* A run with many threads keeps no rows of them, so they are read again. */
static void visit_profile(struct export *export, size_t index, const struct profile *profile,
			  export_visit *visit, void *data)
{
	struct process whole = {0};

	if (export->run->processes[index].threads) {
		visit(data, profile, &export->run->processes[index]);
		return;
	}
	process_start(&whole, export->files, index);
	process_read(&whole, profile, export->run->names);
	visit(data, profile, &whole);
	process_clear(&whole);
}

void export_profiles(struct export *export, export_visit *visit, void *data)
{
	for (size_t i = 0; i < export->run->process_count; i++) {
		progress_step("exporting profiles", i, export->run->process_count);
		if (export->files->processes[i].merged)
			continue;
		const struct profile *profile = run_files_profile(export->files, i);

		if (!profile)
			continue;
		visit_profile(export, i, profile, visit, data);
		names_forget(export->run->names);
		run_files_release(export->files, i);
	}
}

uint64_t export_measure_of(const struct path_figures *figures, enum export_measure measure)
{
	switch (measure) {
	case EXPORT_ALONE:
		return figures->alone_ns;
	case EXPORT_ELAPSED:
		return figures->elapsed_ns;
	case EXPORT_WAIT:
		return figures->wait_ns;
	default:
		return figures->cpu_ns;
	}
}

const char *export_measure_name(enum export_measure measure)
{
	static const char *const names[EXPORT_MEASURES] = {"cpu", "alone", "wait", "elapsed"};

	return measure < EXPORT_MEASURES ? names[measure] : NULL;
}
