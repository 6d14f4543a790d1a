/* SPDX-License-Identifier: MIT */
/* Marks of sections in call paths: whoever reads paths does not see them. */
#define _GNU_SOURCE 1
#include "analyze/print/json.h"
#include "analyze/read/profile_read.h"
#include "analyze/report/report_print.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

/* ---- a scene of which a part was in a section */

static const char *told; /* the scene */
static bool is_inside, is_apart;

static const struct scene *find_scene(const char *name)
{
	size_t i = 0;

	while (strcmp(scenes[i].name, name) != 0)
		i++;
	return &scenes[i];
}

static struct builder_rows *rows_of(struct builder *builder, size_t *next, enum schema_table table)
{
	for (; *next < builder->rows_count; ++*next)
		if (builder->rows[*next].table == table)
			return &builder->rows[(*next)++];
	return NULL;
}

/* A path that ends in the same code, below a mark. */
static uint32_t path_inside(struct builder *builder, uint32_t path, uint32_t mark)
{
	size_t next = 0;
	const struct builder_rows *rows = rows_of(builder, &next, TABLE_callpaths);
	struct row_callpaths row;

	if (!path || path >= rows->count)
		return path;
	memcpy(&row, rows->bytes + path * sizeof row, sizeof row);
	row.parent =
		row.parent && row.parent < path ? path_inside(builder, row.parent, mark) : mark;
	return builder_add(builder, TABLE_callpaths, FORMAT_NO_OWNER, &row);
}

static void move_path(struct builder *builder, uint32_t *path, uint32_t mark)
{
	*path = path_inside(builder, *path, mark);
}

/* Of each second row all is inside; of samples with several, some of them. */
static void move_samples(struct builder *builder, struct builder_rows *of, uint32_t mark)
{
	size_t count = of->count;
	uint32_t owner = of->owner;

	for (size_t i = 0; i < count; i++) {
		struct row_samples *row = (struct row_samples *)of->bytes + i, half;

		if (is_apart && row->count > 1) {
			half = *row;
			half.count = row->count / 2;
			half.cpu_ns = row->cpu_ns / 2;
			row->count -= half.count;
			row->cpu_ns -= half.cpu_ns;
			move_path(builder, &half.callpath, mark);
			builder_add(builder, TABLE_samples, owner, &half);
		} else if (i % 2) {
			move_path(builder, &row->callpath, mark);
		}
	}
}

#define MOVE(table, column, mark)                                                                  \
	do {                                                                                       \
		size_t next_ = 0;                                                                  \
		for (struct builder_rows * of; (of = rows_of(builder, &next_, TABLE_##table));)    \
			for (size_t i = 0; i < of->count; i++) {                                   \
				uint32_t path = ((struct row_##table *)of->bytes)[i].column;       \
				move_path(builder, &path, mark);                                   \
				((struct row_##table *)of->bytes)[i].column = path;                \
			}                                                                          \
	} while (0)

static void tell(struct builder *builder)
{
	struct row_sections solve = {.kind = SECTION_CODE, .name = builder_text(builder, "solve")};
	struct row_sections phase = {.kind = SECTION_PHASE, .name = builder_text(builder, "main")};
	size_t next = 0;

	find_scene(told)->tell(builder);
	if (!is_inside)
		return;
	builder_add(builder, TABLE_sections, FORMAT_NO_OWNER, &solve);
	builder_add(builder, TABLE_sections, FORMAT_NO_OWNER, &phase);
	uint32_t mark = scene_section_mark(builder, 0, 1);
	uint32_t both = scene_section_mark(builder, scene_section_mark(builder, 0, 2), 1);

	for (struct builder_rows *of; (of = rows_of(builder, &next, TABLE_samples));)
		move_samples(builder, of, mark);
	MOVE(waits, callpath, both);
	MOVE(blame, callpath, mark);
	MOVE(blame, holder_io_path, both);
	MOVE(mpi_calls, callpath, mark);
	MOVE(mpi_collectives, callpath, both);
	MOVE(event_samples, callpath, mark);
	MOVE(threads, waiting_path, both);
	MOVE(omp_regions, caller, mark);
}

/* ---- reports */

static char *text;
static size_t text_bytes;

/* All sections but those that tell of sections. */
static char *all_names(void)
{
	char *names = strdup("");

	for (size_t i = 0; report_section_name(i); i++) {
		const char *name = report_section_name(i);
		char *longer;

		if (!strcmp(name, "sections") || !strcmp(name, "overview") ||
		    !strcmp(name, "source"))
			continue;
		ck_assert_int_gt(asprintf(&longer, "%s%s%s", names, *names ? "," : "", name), 0);
		free(names);
		names = longer;
	}
	return names;
}

static char *report_of(const char *scene, bool is_json)
{
	struct scene_run made;
	char *names = all_names();

	told = scene;
	struct run *run = scene_run_told(&made, tell, RUN_PATHS);
	struct report report = {.run = run,
				.findings = findings_of(run),
				.out = open_memstream(&text, &text_bytes),
				.width = 200};

	if (is_json) {
		report_print_json(&report, names);
	} else {
		char *lines = report_text(&report, names, 0);

		fputs(lines, report.out);
		free(lines);
	}
	findings_clear(&report.findings);
	fclose(report.out);
	scene_run_clear(&made);
	free(names);
	return text;
}

static void expect_same(const char *scene, bool is_json)
{
	is_inside = false;
	char *outside = report_of(scene, is_json);

	is_inside = true;
	for (int apart = 0; apart < 2; apart++) {
		is_apart = apart;
		char *inside = report_of(scene, is_json);

		size_t same = 0;

		while (outside[same] && outside[same] == inside[same])
			same++;
		ck_assert_msg(!outside[same] && !inside[same],
			      "%s: %.300s\n---- inside ----\n%.300s", scene, outside + same,
			      inside + same);
		free(inside);
	}
	free(outside);
}

START_TEST(a_report_is_the_same_inside_and_outside_of_sections)
{
	static const char *const names[] = {"workers", "killed",  "crowd", "rank",
					    "team",    "counted", "io",    "omp-ends"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		expect_same(names[i], false);
		expect_same(names[i], true);
	}
}
END_TEST

/* ---- rows */

enum { PROGRAM = 1, A = 0x1010, B = 0x2010 };

static void tell_paths(struct builder *builder)
{
	struct row_sections solve = {.kind = SECTION_CODE, .name = builder_text(builder, "solve")};
	struct row_threads thread = {.tid = 1, .lives = 1};

	builder_add(builder, TABLE_sections, FORMAT_NO_OWNER, &solve);
	uint32_t owner = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread);
	uint32_t mark = scene_section_mark(builder, 0, 1);
	uint32_t strange = scene_section_mark(builder, 0, 4711);
	uint32_t a_inside = builder_callpath(builder, mark, PROGRAM, A);
	uint32_t b_inside = builder_callpath(builder, a_inside, PROGRAM, B);
	uint32_t a = builder_callpath(builder, 0, PROGRAM, A);
	uint32_t b_strange = builder_callpath(
		builder, builder_callpath(builder, strange, PROGRAM, A), PROGRAM, B);
	const uint32_t paths[] = {a_inside, b_inside, a, b_strange, mark};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct row_waits wait = {
			.callpath = paths[i], .cause = CAUSE_SLEEP, .count = 1, .sum_ns = 1u << i};

		builder_add(builder, TABLE_waits, owner, &wait);
	}
}

/* The path A is there inside first, B never outside. */
START_TEST(rows_of_one_path_are_one_row)
{
	struct profile *profile = scene_profile(tell_paths);

	ck_assert_uint_eq(profile->waits.count, 3);
	ck_assert_uint_eq(profile->waits.rows[0].sum_ns, 1 + 4);
	ck_assert_uint_eq(profile->waits.rows[1].sum_ns, 2 + 8);
	ck_assert_uint_eq(profile->waits.rows[2].sum_ns, 16);
	ck_assert_uint_eq(profile->waits.rows[2].callpath, 0);
	const struct profile_callpath *b =
		&profile->callpaths.rows[profile->waits.rows[1].callpath];

	ck_assert_uint_eq(b->offset, B);
	ck_assert_uint_eq(b->parent, profile->waits.rows[0].callpath);
	ck_assert_uint_eq(profile->callpaths.rows[b->parent].parent, 0);
	for (size_t i = 0; i < profile->callpaths.count; i++)
		ck_assert(!(profile->callpaths.rows[i].flags & CALLPATH_MARK));
	profile_destroy(profile);
}
END_TEST

/* One by one, with plain paths; a mark of no section is looked through, and says nothing. */
START_TEST(waits_of_sections_are_kept)
{
	struct profile *profile = scene_profile(tell_paths);

	ck_assert_uint_eq(profile->section_waits.count, 3);
	ck_assert_uint_eq(profile->section_waits.rows[1].wait.sum_ns, 2);
	ck_assert_uint_eq(profile->section_waits.rows[1].section, 1);
	ck_assert_uint_eq(profile->section_waits.rows[1].phase, 0);
	ck_assert_uint_eq(profile->section_waits.rows[1].wait.callpath,
			  profile->waits.rows[1].callpath);
	profile_destroy(profile);
}
END_TEST

static void tell_circle(struct builder *builder)
{
	struct row_sections solve = {.kind = SECTION_CODE, .name = builder_text(builder, "solve")};
	struct row_callpaths path = {
		.parent = 2, .module = PROGRAM, .flags = CALLPATH_PRESENT, .offset = A};

	builder_add(builder, TABLE_sections, FORMAT_NO_OWNER, &solve);
	builder_add(builder, TABLE_callpaths, FORMAT_NO_OWNER, &path);
	path.parent = 1;
	builder_add(builder, TABLE_callpaths, FORMAT_NO_OWNER, &path);
}

START_TEST(damage_is_told_as_without_sections)
{
	struct profile *profile = scene_profile(tell_circle);

	ck_assert(profile->file->is_torn);
	ck_assert_uint_eq(profile->callpaths.rows[1].parent, 0);
	profile_destroy(profile);
}
END_TEST

UNIT_MAIN("marks of sections in call paths", a_report_is_the_same_inside_and_outside_of_sections,
	  rows_of_one_path_are_one_row, waits_of_sections_are_kept,
	  damage_is_told_as_without_sections)
