/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1 /* qsort_r */
#include "analyze/model/lines/united_lines.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/common/runtime_code.h"

#include <stdlib.h>

/* A line of one run or, as run_count, of all. Two objects of a run may have the same code: their
 * figures are added up. */
struct sum {
	size_t routine, line, run; /* the key; the routine as the united names have it */
	struct source_line figures;
	struct line_time cpu;
	struct counter_place counted; /* not of all runs: each numbers its events itself */
};

struct file {
	const char *name; /* of the united names; these two are the key */
	size_t run;
	const char *module;
	unsigned end; /* the last line with figures */
};

/* ---- adding up */

static void add_cpu(struct line_time *to, const struct line_time *from)
{
	to->self_ns += from->self_ns;
	to->total_ns += from->total_ns;
	to->elapsed_ns += from->elapsed_ns;
	to->alone_ns += from->alone_ns;
	to->is_share_known = from->is_share_known && (to->is_share_known || !to->samples);
	to->samples += from->samples;
	if (from->begin)
		to->begin = from->begin;
}

static void add_counts(struct counter_place *to, const struct counter_place *from)
{
	to->kind = from->kind;
	for (size_t event = 0; event < from->limit; event++)
		for (size_t part = 0; part < COUNTER_PARTS; part++)
			counter_sum_add(&counter_place_sums(to, event)->part[part],
					counter_place_sum(from, event, part));
}

static void add_line(struct keyed_table *sums, const struct sum *key,
		     const struct source_line *line, bool is_of_one)
{
	struct sum *sum = keyed_table_enter(sums, key, NULL);

	sum->figures.routine = sum->routine;
	sum->figures.line = sum->line;
	sum->figures.wait_ns += line->wait_ns;
	sum->figures.waits += line->waits;
	sum->figures.blame_ns += line->blame_ns;
	sum->figures.mpi_ns += line->mpi_ns;
	sum->figures.mpi_calls += line->mpi_calls;
	sum->figures.omp_ns += line->omp_ns;
	if (line->counted && is_of_one) {
		add_counts(&sum->counted, line->counted);
		sum->figures.counted = &sum->counted;
	}
	if (!line->cpu)
		return;
	add_cpu(&sum->cpu, line->cpu);
	sum->figures.cpu = &sum->cpu; /* rows do not move */
}

/* The number of a run's routine among the united names. Programs that are compared may have
 * different paths, and stay the same program; what a runtime's code is, its object tells. */
static size_t routine_of(struct united_lines *united, const struct routine *routine)
{
	bool has_module = routine->is_runtime || !routine->file;

	return names_number(united->run.names, routine->name,
			    has_module ? runtime_base_name(routine->module) : "", routine->file);
}

static void add_file(struct united_lines *united, size_t run, const char *name,
		     const struct source_line *line, const char *module)
{
	const struct file probe = {.name = name, .run = run, .module = module};
	struct file *file = keyed_table_enter(united->files, &probe, NULL);

	if (line->line > file->end)
		file->end = (unsigned)line->line;
}

static void add_run(struct united_lines *united, size_t number)
{
	const struct run *run = united->runs[number];
	struct source_lines lines = source_lines_of(run);

	for (size_t i = 0; i < lines.count; i++) {
		const struct source_line *line = &lines.rows[i];
		const struct routine *routine = names_routine(run->names, line->routine);
		struct sum key = {.routine = routine_of(united, routine), .line = line->line};
		const char *file = names_routine(united->run.names, key.routine)->file;

		key.run = number;
		add_line(united->sums, &key, line, true);
		key.run = united->run_count;
		add_line(united->sums, &key, line, false);
		if (file)
			add_file(united, number, file, line, routine->module);
	}
	source_lines_clear(&lines);
}

/* ---- the whole */

struct united_lines united_lines_of(const struct run *const *runs, size_t count)
{
	struct united_lines united = {.runs = runs, .run_count = count};
	struct source_line *rows;
	size_t sums, lines = 0;

	united.run.names = names_create(NULL);
	united.sums = keyed_table_create(sizeof(struct sum), offsetof(struct sum, figures));
	united.files = keyed_table_create(sizeof(struct file), offsetof(struct file, module));
	for (size_t run = 0; run < count; run++)
		add_run(&united, run);
	sums = keyed_table_count(united.sums);
	rows = memory_allocate(sums, sizeof *rows);
	for (size_t i = 0; i < sums; i++) {
		const struct sum *sum = keyed_table_row(united.sums, i);

		if (sum->run == count)
			rows[lines++] = sum->figures;
	}
	united.lines = source_lines_sorted(&united.run, rows, lines);
	return united;
}

void united_lines_clear(struct united_lines *united)
{
	source_lines_clear(&united->lines);
	for (size_t i = 0; i < keyed_table_count(united->sums); i++)
		free(((struct sum *)keyed_table_row(united->sums, i))->counted.sums);
	keyed_table_destroy(united->sums);
	keyed_table_destroy(united->files);
	names_destroy(united->run.names);
	*united = (struct united_lines){0};
}

const struct source_line *united_lines_in_run(const struct united_lines *united,
					      const struct source_line *line, size_t run)
{
	const struct sum probe = {.routine = line->routine, .line = line->line, .run = run};
	const struct sum *sum = keyed_table_find(united->sums, &probe);

	return sum ? &sum->figures : NULL;
}

const struct source_text *united_lines_text(const struct united_lines *united, const char *file,
					    size_t run, struct source_texts *texts)
{
	const struct file probe = {.name = file, .run = run};
	const struct file *found = file ? keyed_table_find(united->files, &probe) : NULL;

	return found ? source_texts_find(texts, file, found->module, found->end) : NULL;
}
