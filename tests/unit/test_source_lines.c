/* SPDX-License-Identifier: MIT */
#include "analyze/model/lines/source_lines.h"
#include "analyze/model/paths/path_tree.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <string.h>

struct sums {
	uint64_t self_ns, elapsed_ns, alone_ns, samples, wait_ns, waits, blame_ns, mpi_ns;
	double omp_ns;
};

/* routine SIZE_MAX: all. */
static struct sums sums_of(const struct source_lines *lines, size_t routine)
{
	struct sums sums = {0};

	for (size_t i = 0; i < lines->count; i++) {
		const struct source_line *line = &lines->rows[i];
		const struct line_time *cpu = line->cpu;

		if (routine != SIZE_MAX && line->routine != routine)
			continue;
		sums.self_ns += cpu ? cpu->self_ns : 0;
		sums.elapsed_ns += cpu ? cpu->elapsed_ns : 0;
		sums.alone_ns += cpu ? cpu->alone_ns : 0;
		sums.samples += cpu ? cpu->samples : 0;
		sums.wait_ns += line->wait_ns;
		sums.waits += line->waits;
		sums.blame_ns += line->blame_ns;
		sums.mpi_ns += line->mpi_ns;
		sums.omp_ns += line->omp_ns;
	}
	return sums;
}

static void check_routines(const struct run *run, const struct source_lines *lines)
{
	for (size_t i = 0; i < run->routines.count; i++) {
		const struct routine_time *routine = &run->routines.rows[i];
		struct sums sums = sums_of(lines, routine->routine);

		ck_assert_uint_eq(sums.self_ns, routine->self_ns);
		ck_assert_uint_eq(sums.samples, routine->samples);
		ck_assert_uint_eq(sums.elapsed_ns, routine->elapsed_ns);
		ck_assert_uint_eq(sums.alone_ns, routine->alone_ns);
	}
}

static void check_waits(const struct run *run, const struct source_lines *lines)
{
	struct sums sums = sums_of(lines, SIZE_MAX);
	uint64_t wait_ns = 0, blame_ns = 0, path_ns = 0;

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		wait_ns += row->wait_ns;
		for (size_t k = 0; k < row->blame.count; k++)
			blame_ns += row->blame.rows[k].time_ns;
	}
	for (size_t i = 0; i < run->paths.count; i++)
		path_ns += run->paths.nodes[i].self.wait_ns;
	ck_assert_uint_eq(sums.wait_ns, wait_ns);
	ck_assert_uint_eq(sums.blame_ns, blame_ns);
	ck_assert_uint_eq(sums.wait_ns + sums.mpi_ns + (uint64_t)sums.omp_ns, path_ns);
}

static void check_scene(const char *name)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, name);
	struct source_lines lines = source_lines_of(run);

	check_routines(run, &lines);
	check_waits(run, &lines);
	ck_assert_uint_eq(sums_of(&lines, SIZE_MAX).self_ns, run->cpu_ns);
	for (size_t i = 1; i < lines.count; i++)
		ck_assert_double_ge(source_line_spent_ns(&lines.rows[i - 1]),
				    source_line_spent_ns(&lines.rows[i]));
	source_lines_clear(&lines);
	scene_run_clear(&scene);
}

START_TEST(lines_add_up_to_routines_and_waits)
{
	static const char *const names[] = {"workers", "single", "killed", "parent",
					    "crowd",   "rank",   "team"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		check_scene(names[i]);
}
END_TEST

static const struct source_line *find(const struct run *run, const struct source_lines *lines,
				      const char *name, size_t line)
{
	for (size_t i = 0; i < lines->count; i++)
		if (lines->rows[i].line == line &&
		    !strcmp(names_routine(run->names, lines->rows[i].routine)->name, name))
			return &lines->rows[i];
	ck_abort_msg("no line %zu of %s", line, name);
}

/* A line is in a call path once, however often it recurs there. */
START_TEST(total_is_what_a_line_called)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "workers");
	struct source_lines lines = source_lines_of(run);
	uint64_t total_ns = 0;

	for (size_t i = 0; i < lines.count; i++) {
		const struct source_line *line = &lines.rows[i];

		if (!line->cpu)
			continue;
		ck_assert_uint_ge(line->cpu->total_ns, line->cpu->self_ns);
		if (!strcmp(names_routine(run->names, line->routine)->name, "main"))
			total_ns += line->cpu->total_ns;
	}
	ck_assert_uint_eq(total_ns, 1150 * 1000000ull); /* as of the routine: it calls once */
	ck_assert_uint_eq(find(run, &lines, "serial", 0x0f)->cpu->self_ns, 1000 * 1000000ull);
	source_lines_clear(&lines);
	scene_run_clear(&scene);
}
END_TEST

UNIT_MAIN("source lines", lines_add_up_to_routines_and_waits, total_is_what_a_line_called)
