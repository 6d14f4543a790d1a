/* SPDX-License-Identifier: MIT */
/* The formats: the one list from which the command line, --help and messages are made. */
#include "analyze/base/memory.h"
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
