/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/run/run_sketch.h"

#include "analyze/base/memory.h"
#include "analyze/model/process/process_clock.h"

#include <stdlib.h>
#include <time.h>

const char *run_command(const struct run_files *files)
{
	return files->command ? files->command : files->processes[0].process.command;
}

char *run_start_text(const struct run_files *files)
{
	if (files->start)
		return memory_copy_text(files->start);
	time_t seconds = (time_t)(files->processes[0].header.start_realtime_ns / 1000000000u);
	struct tm local;
	char text[64];

	if (!localtime_r(&seconds, &local) ||
	    !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S%z", &local))
		return memory_copy_text("unknown");
	return memory_copy_text(text);
}

uint64_t run_elapsed_ns(const struct process *processes, size_t count)
{
	uint64_t first = UINT64_MAX, last = 0;
	bool has_clocks = process_clocks_are_several(processes, count);

	for (size_t i = 0; i < count; i++) {
		const struct process *process = &processes[i];
		const struct format_header *header = &process->file->header;
		uint64_t start = has_clocks ? header->start_realtime_ns : header->start_ns;

		start += process->file->process.start_wait_ns; /* see process_elapsed */
		first = start < first ? start : first;
		last = start + process->elapsed_ns > last ? start + process->elapsed_ns : last;
	}
	return last > first ? last - first : 0;
}

/* An image that exec replaced goes on as the next one. */
static bool is_worse(const struct process_life *life)
{
	return life->state != LIFE_REPLACED && !(life->state == LIFE_EXITED && !life->code);
}

static void judge(struct run_sketch *sketch, const struct run_files *files,
		  const struct process *processes)
{
	struct process_life life = processes[0].life;

	sketch->is_complete = !files->is_damaged;
	for (size_t i = 0; i < files->process_count; i++) {
		if (!process_life_is_needed(files, i))
			continue;
		sketch->is_complete &= processes[i].life.is_complete;
		if (!is_worse(&life))
			life = processes[i].life;
	}
	sketch->status = process_life_text(&life);
}

struct run_sketch run_sketch_of(const struct run_files *files)
{
	struct process *processes = memory_allocate(files->process_count, sizeof *processes);

	for (size_t i = 0; i < files->process_count; i++) {
		processes[i].file = &files->processes[i];
		processes[i].life = process_life_of(files, i);
		processes[i].elapsed_ns = process_elapsed(&processes[i]);
	}
	struct run_sketch sketch = {
		.command = memory_copy_text(run_command(files)),
		.start = run_start_text(files),
		.started_ns = files->processes[0].header.start_realtime_ns,
		.elapsed_ns = run_elapsed_ns(processes, files->process_count),
		.processes = files->process_count,
	};

	judge(&sketch, files, processes);
	free(processes);
	return sketch;
}

void run_sketch_clear(struct run_sketch *sketch)
{
	free(sketch->command);
	free(sketch->start);
	free(sketch->status);
	*sketch = (struct run_sketch){0};
}
