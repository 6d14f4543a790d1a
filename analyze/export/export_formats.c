/* SPDX-License-Identifier: MIT */
/* The formats: the one list from which the command line, --help and messages are made. */
#include "analyze/base/memory.h"
#include "analyze/export/export.h"

#include <stdlib.h>
#include <string.h>

const struct export_format export_formats[] = {
	{"folded", "flamegraph", ".folded",
	 "call paths as lines of text, for flamegraph.pl and its relatives",
	 EXPORT_PATHS | EXPORT_MEASURE, export_folded},
	{"speedscope", NULL, ".speedscope.json",
	 "flame graphs of CPU time, time alone, waits and elapsed time", EXPORT_PATHS,
	 export_speedscope},
	{"chrome", "perfetto", ".json",
	 "threads, waits and T_i over time, for Perfetto and chrome://tracing", 0, export_chrome},
	{"pprof", NULL, ".pb.gz",
	 "CPU time and waits by call path, thread, rank and lock, for pprof", EXPORT_BINARY,
	 export_pprof},
	{"callgrind", "kcachegrind", ".callgrind",
	 "CPU time and waits by line and call, for KCachegrind", EXPORT_PATHS, export_callgrind},
	{"sqlite", NULL, ".sqlite",
	 "all tables of the profiles, names and views as an SQLite database",
	 EXPORT_PROFILES | EXPORT_OWN_FILE, export_sqlite},
	{"extrap", NULL, ".txt",
	 "times of several runs with more and more threads or ranks, for Extra-P", EXPORT_RUNS,
	 export_extrap},
};
const size_t export_format_count = sizeof export_formats / sizeof *export_formats;

const struct export_format *export_find_format(const char *name)
{
	for (size_t i = 0; i < export_format_count; i++) {
		const struct export_format *format = &export_formats[i];

		if (!strcmp(format->name, name) ||
		    (format->reader && !strcmp(format->reader, name)))
			return format;
	}
	return NULL;
}

const char *export_format_word(size_t index)
{
	if (index < export_format_count)
		return export_formats[index].name;
	index -= export_format_count;
	for (size_t i = 0; i < export_format_count; i++)
		if (export_formats[i].reader && !index--)
			return export_formats[i].reader;
	return NULL;
}

static char *both_names(const struct export_format *format)
{
	return format->reader ? memory_print("%s (%s)", format->name, format->reader)
			      : memory_copy_text(format->name);
}

char *export_format_names(void)
{
	char *names = both_names(&export_formats[0]);

	for (size_t i = 1; i < export_format_count; i++) {
		char *next = both_names(&export_formats[i]);
		char *longer = memory_print("%s, %s", names, next);

		free(next);
		free(names);
		names = longer;
	}
	return names;
}
