/* SPDX-License-Identifier: MIT */
#include "analyze/model/lines/source_lines.h"
#include "analyze/model/paths/path_tree.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
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

static struct counter_sum counted_of(const struct source_lines *lines, size_t routine, size_t event,
				     enum counter_part part)
{
	struct counter_sum sum = {0};

	for (size_t i = 0; i < lines->count; i++)
		if (lines->rows[i].routine == routine && lines->rows[i].counted)
			counter_sum_add(&sum,
					counter_place_sum(lines->rows[i].counted, event, part));
	return sum;
}

/* Of each routine, event and part but the total, which lines of a routine have in common. Returns
 * what was counted in all. */
static uint64_t check_counts(const struct run *run, const struct source_lines *lines)
{
	const struct counter_places *places = &run->counters.of[COUNTER_ROUTINE];
	uint64_t all = 0;

	for (size_t i = 0; i < places->count; i++)
		for (size_t event = 1; event < run->counters.limit; event++)
			for (size_t part = 0; part < COUNTER_TOTAL; part++) {
				const struct counter_sum *routine =
					counter_place_sum(places->rows[i], event, part);
				struct counter_sum sum =
					counted_of(lines, places->rows[i]->a, event, part);

				ck_assert_uint_eq(sum.count, routine->count);
				ck_assert_uint_eq(sum.samples, routine->samples);
				ck_assert_double_eq_tol(sum.scaled, routine->scaled,
							1e-9 + 1e-9 * sum.scaled);
				all += part == COUNTER_SELF ? sum.count : 0;
			}
	return all;
}

static void check_scene(const char *name)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, name);
	struct source_lines lines = source_lines_of(run);

	check_routines(run, &lines);
	check_waits(run, &lines);
	ck_assert(counters_are_there(&run->counters) == (check_counts(run, &lines) > 0));
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
					    "crowd",   "rank",   "team",   "counted"};

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

/* A line at which an event was counted, and no time spent, comes before those with nothing. */
START_TEST(counts_order_what_has_no_time)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "counted");
	struct source_lines lines = source_lines_of(run);
	struct source_line few = *find(run, &lines, "serial", 0x0f), many = few, none = few;
	struct counter_place places[2] = {{.kind = COUNTER_ROUTINE}, {.kind = COUNTER_ROUTINE}};
	struct source_line *rows = calloc(3, sizeof *rows);

	ck_assert(source_line_has_counts(&few));
	counter_place_sums(&places[0], 1)->part[COUNTER_SELF].scaled = 1;
	counter_place_sums(&places[1], 1)->part[COUNTER_SELF].scaled = 2;
	few.cpu = many.cpu = none.cpu = NULL;
	few.counted = &places[0];
	many.counted = &places[1];
	none.counted = NULL;
	ck_assert(!source_line_has_counts(&none));
	rows[0] = none;
	rows[1] = few;
	rows[2] = many;
	source_lines_clear(&lines);
	lines = source_lines_sorted(run, rows, 3);
	ck_assert_ptr_eq(lines.rows[0].counted, &places[1]);
	ck_assert_ptr_eq(lines.rows[1].counted, &places[0]);
	ck_assert_ptr_null(lines.rows[2].counted);
	source_lines_clear(&lines);
	free(places[0].sums);
	free(places[1].sums);
	scene_run_clear(&scene);
}
END_TEST

static struct source_line line_with_span(struct run *run, size_t line, unsigned first,
					 unsigned last)
{
	struct source_lines lines = source_lines_of(run);
	size_t routine = find(run, &lines, "serial", line)->routine;

	source_lines_clear(&lines);
	names_unite_lines(run->names, &(struct line_span){{routine, line, first, last}});
	lines = source_lines_of(run);
	struct source_line found = *find(run, &lines, "serial", line);

	source_lines_clear(&lines);
	return found;
}

/* What the line table says is one grows with each address, and ends before a line that has figures
 * of its own. */
START_TEST(an_entry_has_figures_once)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "workers");
	struct source_line line = line_with_span(run, 0x0f, 0x0e, 0x0f);

	ck_assert_uint_eq(line.first, 0x0e);
	ck_assert_uint_eq(line.last, 0x0f);
	line = line_with_span(run, 0x0f, 0x0f, 0x11);
	ck_assert_uint_eq(line.first, 0x0e);
	ck_assert_uint_eq(line.last, 0x11);
	ck_assert_uint_eq(line.cpu->self_ns, 1000 * 1000000ull);
	scene_run_clear(&scene);
}
END_TEST

enum { PROGRAM = 1, SERIAL_ADDRESS = 0x3000 };

/* A second line of `serial`, 0x13, has figures. */
static void tell_two_lines(struct builder *builder)
{
	struct scene_paths paths;

	scene_tell_workers(builder, &paths);
	const struct row_samples row = {
		.callpath = builder_callpath(builder, 0, PROGRAM, SERIAL_ADDRESS + 0x14),
		.level = 1,
		.cpu_ns = 1000000,
		.count = 1,
	};

	builder_add(builder, TABLE_samples, paths.first, &row);
}

START_TEST(an_entry_ends_before_the_figures_of_another)
{
	struct scene_run scene;
	struct run *run = scene_run_told(&scene, tell_two_lines, 0);
	struct source_line line = line_with_span(run, 0x0f, 0x0e, 0x15);

	ck_assert_uint_eq(line.first, 0x0e);
	ck_assert_uint_eq(line.last, 0x12);
	line = line_with_span(run, 0x13, 0x0d, 0x14);
	ck_assert_uint_eq(line.first, 0x13); /* the other one has the lines between them */
	ck_assert_uint_eq(line.last, 0x14);
	scene_run_clear(&scene);
}
END_TEST

UNIT_MAIN("source lines", lines_add_up_to_routines_and_waits, total_is_what_a_line_called,
	  counts_order_what_has_no_time, an_entry_has_figures_once,
	  an_entry_ends_before_the_figures_of_another)
