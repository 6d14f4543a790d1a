/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/programs.h"

#include "analyze/base/key_hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/read/run_program.h"

#include <stdlib.h>
#include <string.h>

static unsigned hash_program(const void *row)
{
	return hash_text(((const struct program *)row)->name, 0);
}

static bool are_programs_equal(const void *left, const void *right)
{
	const struct program *a = left, *b = right;

	return !strcmp(a->name, b->name);
}

static bool has_failed(const struct process_life *life)
{
	return life->state == LIFE_KILLED || (life->state == LIFE_EXITED && life->code);
}

static void add_process(struct keyed_table *table, const struct run *run,
			const struct process *process)
{
	char *name = run_program_name(process->file);
	const struct program probe = {.name = names_keep(run->names, name)};
	struct program *program = keyed_table_enter(table, &probe, NULL);

	free(name);
	program->processes++;
	program->threads += process->thread_lives;
	program->cpu_ns += process->cpu_ns;
	program->ready_ns += process->ready_ns;
	program->elapsed_ns += process->elapsed_ns;
	program->failed += has_failed(&process->life);
	if (process->elapsed_ns > program->longest_ns)
		program->longest_ns = process->elapsed_ns;
	if (process->memory_peak_bytes > program->memory_peak_bytes)
		program->memory_peak_bytes = process->memory_peak_bytes;
}

static int compare_programs(const void *left, const void *right)
{
	const struct program *a = left, *b = right;

	if (a->cpu_ns != b->cpu_ns)
		return a->cpu_ns > b->cpu_ns ? -1 : 1;
	return strcmp(a->name, b->name);
}

struct programs programs_of(const struct run *run)
{
	struct keyed_table *table =
		keyed_table_create_by(sizeof(struct program), hash_program, are_programs_equal);

	for (size_t i = 0; i < run->process_count; i++)
		add_process(table, run, &run->processes[i]);
	struct programs programs = {
		memory_allocate(keyed_table_count(table), sizeof *programs.rows),
		keyed_table_count(table)};

	for (size_t i = 0; i < programs.count; i++)
		programs.rows[i] = *(struct program *)keyed_table_row(table, i);
	keyed_table_destroy(table);
	qsort(programs.rows, programs.count, sizeof *programs.rows, compare_programs);
	return programs;
}
