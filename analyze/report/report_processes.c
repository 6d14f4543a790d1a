/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/sections.h"

#define IO_WIDTH 110 /* below it the bytes of input and output are left out */

static char *size_or(uint64_t bytes, bool is_known)
{
	return memory_copy_text(is_known ? quantity_size(bytes).text : "?");
}

static void add_use(const struct report *report, struct text_table *table,
		    const struct process *process)
{
	bool has_room = report->width >= IO_WIDTH, is_known = process->io.is_known;

	text_table_add(table, size_or(process->memory_peak_bytes, process->memory_peak_bytes));
	text_table_add(table,
		       has_room ? size_or(process->io.read_bytes, is_known) : memory_copy_text(""));
	text_table_add(table, has_room ? size_or(process->io.written_bytes, is_known)
				       : memory_copy_text(""));
}

static void add_row(const struct report *report, struct text_table *table,
		    const struct process *process)
{
	const struct run_process *file = process->file;

	text_table_add(table, text_rank(process->rank));
	text_table_add(table, text_count(file->header.pid));
	text_table_add(table, text_count(file->header.sequence));
	text_table_add(table, text_count(file->process.parent_pid));
	text_table_add(table, text_seconds((double)process->elapsed_ns));
	text_table_add(table, text_seconds((double)process->cpu_ns));
	add_use(report, table, process);
	text_table_add(table, text_count(process->thread_lives));
	text_table_add(table, memory_copy_text(process->status));
	text_table_add(table, memory_copy_text(file->process.command));
}

void report_processes_text(const struct report *report)
{
	static const struct text_column columns[] = {
		{"rank", TEXT_RIGHT},    {"pid", TEXT_RIGHT},     {"image", TEXT_SPARE},
		{"parent", TEXT_SPARE},  {"elapsed", TEXT_RIGHT}, {"CPU", TEXT_RIGHT},
		{"memory", TEXT_SPARE},  {"read", TEXT_SPARE},    {"written", TEXT_SPARE},
		{"threads", TEXT_RIGHT}, {"status", TEXT_LEFT},   {"command", TEXT_FLEXIBLE},
	};
	const struct run *run = report->run;
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);

	for (size_t i = 0; i < report_rows(report, run->process_count); i++)
		add_row(report, table, &run->processes[i]);
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, run->process_count);
}

static struct json_object *process_json(const struct process *process)
{
	const struct run_process *file = process->file;
	struct json_object *object = json_object_new_object();

	json_add(object, "rank", json_rank(process->rank));
	json_add(object, "host", json_text(file->process.host));
	json_add(object, "pid", json_count(file->header.pid));
	json_add(object, "sequence", json_count(file->header.sequence));
	json_add(object, "parent_pid", json_count(file->process.parent_pid));
	json_add(object, "command", json_text(file->process.command));
	json_add(object, "executable", json_text(file->process.executable));
	json_add(object, "status", json_text(process->status));
	json_add(object, "complete",
		 json_object_new_boolean(process->life.is_complete && !file->is_torn));
	json_add(object, "elapsed_seconds", json_seconds(process->elapsed_ns));
	json_add(object, "profiler_start_seconds", json_seconds(process_own_start(process)));
	json_add(object, "cpu_seconds", json_seconds(process->cpu_ns));
	json_add(object, "executing_seconds",
		 process->is_concurrency_known ? json_seconds(process->executing_ns) : NULL);
	json_add(object, "sequential_seconds",
		 process->is_concurrency_known ? json_seconds(process->sequential_ns) : NULL);
	json_add(object, "threads", json_count(process->thread_lives));
	json_add(object, "memory_peak_bytes",
		 process->memory_peak_bytes ? json_count(process->memory_peak_bytes) : NULL);
	json_add(object, "read_bytes",
		 process->io.is_known ? json_count(process->io.read_bytes) : NULL);
	json_add(object, "written_bytes",
		 process->io.is_known ? json_count(process->io.written_bytes) : NULL);
	return object;
}

struct json_object *report_processes_json(const struct report *report)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report->run->process_count; i++)
		json_object_array_add(list, process_json(&report->run->processes[i]));
	return list;
}
