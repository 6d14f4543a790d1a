/* SPDX-License-Identifier: MIT */
#include "analyze/base/quantity.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/run/run_symbol_notes.h"

#include <stdio.h>
#include <string.h>

/* Less of the CPU time is not worth a note. */
enum { GENERATED_SHARE = 100, INTERPRETER_SHARE = 10 };

/* CPython lists its routines from this version on. */
enum { LISTING_MINOR = 12 };

static double percent_of(const struct run *run, uint64_t cpu_ns)
{
	return 100.0 * (double)cpu_ns / (double)run->cpu_ns;
}

static void note_code(struct run *run, const struct routine_time *row)
{
	if (!row->self_ns || row->self_ns < run->cpu_ns / GENERATED_SHARE)
		return;
	text_list_add(
		&run->notes,
		"%s of the CPU time is in generated code without names: a report here takes "
		"them from /tmp/perf-PID.map, if it is the program's own and has no more than "
		"64 MiB, or perf-PID.map in the run's directory, which node --perf-basic-prof, "
		"java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit, and python3 -X "
		"perf write",
		quantity_percent(percent_of(run, row->self_ns)).text);
}

/* Its routines are in the interpreter's one, unless it has listed them. */
static void note_python(struct run *run, const struct routine_time *row)
{
	const char *module = names_routine(run->names, row->routine)->module;
	const char *version = strstr(runtime_base_name(module), "python3.");
	unsigned minor = 0;

	if (row->total_ns < run->cpu_ns / INTERPRETER_SHARE)
		return;
	if (version)
		sscanf(version, "python3.%u", &minor);
	text_list_add(
		&run->notes,
		"routines of Python have no names here, only those of its interpreter, with %s "
		"of the CPU time: python3 -X perf lists them for the report%s",
		quantity_percent(percent_of(run, row->total_ns)).text,
		minor && minor < LISTING_MINOR ? " from version 3.12 on, which this is not yet"
					       : "");
}

static bool is_pythons(const struct routine *routine)
{
	size_t length = routine->file ? strlen(routine->file) : 0;

	return routine->is_python ||
	       (length > 3 && !*routine->module && !strcmp(routine->file + length - 3, ".py"));
}

void run_note_generated(struct run *run)
{
	const struct routine_time *interpreter = NULL;
	bool is_listed = false;

	for (size_t i = 0; i < run->routines.count; i++) {
		const struct routine_time *row = &run->routines.rows[i];
		const struct routine *routine = names_routine(run->names, row->routine);

		if (!strcmp(routine->name, NAMES_GENERATED))
			note_code(run, row);
		if (!strcmp(routine->name, "_PyEval_EvalFrameDefault"))
			interpreter = row;
		is_listed |= is_pythons(routine);
	}
	if (interpreter && !is_listed)
		note_python(run, interpreter);
}
