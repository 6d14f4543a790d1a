/* SPDX-License-Identifier: MIT */
/* Scenes of named parts of a run. */
#include "tests/programs/profile_scenes.h"

#define MS 1000000ull

enum { MODULE_PROGRAM = 1 };
enum { PLACE_WORKER = 0x2000, PLACE_LOCK = 0x400000 + 0x9000 };
/* Rows of sections, in the order in which they are added; 0: any. */
enum { ANY, SOLVE, INNER, IO, START, STEP };

static void add_section(struct builder *builder, enum section_kind kind, uint32_t parent,
			const char *name)
{
	struct row_sections row = {
		.kind = kind, .parent = parent, .name = builder_text(builder, name)};

	builder_add(builder, TABLE_sections, FORMAT_NO_OWNER, &row);
}

/* On a processor, and useful. */
static void add_level(struct builder *builder, uint32_t section, uint32_t active, uint64_t on_ms,
		      uint64_t useful_ms)
{
	struct row_section_levels on = {CONCURRENCY_ON_PROCESSOR, active, on_ms * MS, section, 0};
	struct row_section_levels useful = {CONCURRENCY_USEFUL, active, useful_ms * MS, section, 0};

	builder_add(builder, TABLE_section_levels, FORMAT_NO_OWNER, &on);
	builder_add(builder, TABLE_section_levels, FORMAT_NO_OWNER, &useful);
}

static void add_levels(struct builder *builder)
{
	add_level(builder, SOLVE, 0, 0, 0);
	add_level(builder, SOLVE, 1, 800, 900);
	add_level(builder, SOLVE, 2, 200, 100);
	add_level(builder, INNER, 1, 300, 400);
	add_level(builder, INNER, 2, 100, 0);
	add_level(builder, IO, 0, 50, 100);
	add_level(builder, IO, 1, 250, 200);
	add_level(builder, START, 1, 500, 500);
	add_level(builder, ANY, 0, 50, 100);
	add_level(builder, ANY, 1, 1350, 1400);
	add_level(builder, ANY, 2, 200, 100);
}

/* Ten of the length each. */
static struct row_section_times ten_of(uint32_t section, uint64_t own_ms, uint64_t cpu_ms,
				       uint64_t each_ms)
{
	struct row_section_times row = {
		.section = section,
		.count = 10,
		.ended = 10,
		.own_ns = own_ms * MS,
		.own_cpu_ns = cpu_ms * MS,
		.sum_ns = 10 * each_ms * MS,
		.min_ns = each_ms * MS,
		.max_ns = each_ms * MS,
		.told_ns = 10 * each_ms * MS,
	};

	row.histogram[63 - __builtin_clzll(each_ms * MS)] = 10;
	return row;
}

/* The last one of the second thread took ten times as long as the others. */
static void add_times(struct builder *builder, const struct scene_paths *paths)
{
	struct row_section_times solve = ten_of(SOLVE, 600, 500, 100);
	struct row_section_times inner = ten_of(INNER, 400, 350, 40);
	struct row_section_times io = ten_of(IO, 300, 50, 30);
	struct row_section_times start = {.section = START,
					  .count = 1,
					  .ended = 1,
					  .sum_ns = 500 * MS,
					  .min_ns = 500 * MS,
					  .max_ns = 500 * MS};

	builder_add(builder, TABLE_section_times, paths->first, &solve);
	builder_add(builder, TABLE_section_times, paths->first, &inner);
	builder_add(builder, TABLE_section_times, paths->first, &io);
	start.histogram[28] = 1;
	builder_add(builder, TABLE_section_times, paths->first, &start);
	solve = ten_of(SOLVE, 1900, 900, 100);
	solve.own_wait_ns[CAUSE_MUTEX] = 500 * MS;
	solve.count = 11; /* one is not over */
	solve.sum_ns += 900 * MS;
	solve.max_ns = 1000 * MS;
	solve.histogram[26] = 9;
	solve.histogram[29] = 1;
	solve.told_ns = solve.sum_ns;
	builder_add(builder, TABLE_section_times, paths->second, &solve);
}

static void add_longest(struct builder *builder, const struct scene_paths *paths)
{
	struct row_section_longest row = {
		.section = SOLVE,
		.number = 10,
		.begin_ns = SCENE_START + 900 * MS,
		.length_ns = 1000 * MS,
		.cpu_ns = 400 * MS,
		.waited_ns = 500 * MS,
		.wait_ns = 450 * MS,
		.faults = 3,
		.wait_path = paths->worker,
		.wait_object = 1,
		.wait_cause = CAUSE_MUTEX,
		.wait_operation = OP_MUTEX_LOCK,
	};

	builder_add(builder, TABLE_section_longest, paths->second, &row);
	for (uint32_t slot = 1; slot < SECTION_LONGEST; slot++) {
		row = (struct row_section_longest){.section = SOLVE,
						   .slot = slot,
						   .number = slot,
						   .begin_ns = SCENE_START + slot * 100 * MS,
						   .length_ns = 100 * MS,
						   .cpu_ns = 100 * MS,
						   .faults = UINT64_MAX};
		builder_add(builder, TABLE_section_longest, paths->second, &row);
	}
}

uint32_t scene_section_mark(struct builder *builder, uint32_t outer, uint32_t section)
{
	struct row_callpaths row = {.parent = outer,
				    .flags = CALLPATH_MARK | CALLPATH_PRESENT,
				    .offset = MARK_SECTIONS + section};

	return builder_add(builder, TABLE_callpaths, FORMAT_NO_OWNER, &row);
}

/* 200 ms more of the lock, in the section: what the others waited for it is outside. */
static void add_wait(struct builder *builder, const struct scene_paths *paths)
{
	uint32_t mark = scene_section_mark(builder, scene_section_mark(builder, 0, START), SOLVE);
	struct row_waits wait = {
		.callpath = builder_callpath(builder, mark, MODULE_PROGRAM, PLACE_WORKER + 16),
		.object = 1,
		.cause = CAUSE_MUTEX,
		.operation = OP_MUTEX_LOCK,
		.count = 2,
		.sum_ns = 200 * MS,
		.min_ns = 100 * MS,
		.max_ns = 100 * MS,
	};

	wait.histogram[26] = 2;
	builder_add(builder, TABLE_waits, paths->second, &wait);
}

static void add_marks(struct builder *builder, const struct scene_paths *paths)
{
	struct row_marks row = {.section = STEP,
				.count = 5,
				.first_ns = SCENE_START + 100 * MS,
				.last_ns = SCENE_START + 500 * MS,
				.first_value = (uint64_t)-7,
				.last_value = 3,
				.min_value = (uint64_t)-7,
				.max_value = 12};

	builder_add(builder, TABLE_marks, paths->first, &row);
	row.first_ns = SCENE_START + 50 * MS;
	row.last_ns = SCENE_START + 450 * MS;
	row.first_value = 1;
	row.last_value = row.max_value = 40;
	row.min_value = (uint64_t)-1;
	builder_add(builder, TABLE_marks, paths->second, &row);
}

void scene_tell_sections(struct builder *builder)
{
	struct scene_paths paths;
	struct row_named_memory memory = {
		.address = PLACE_LOCK - 16, .bytes = 64, .name = builder_text(builder, "table")};

	scene_tell_workers(builder, &paths);
	add_section(builder, SECTION_CODE, 0, "solve");
	add_section(builder, SECTION_CODE, SOLVE, "inner");
	add_section(builder, SECTION_CODE, 0, "io");
	add_section(builder, SECTION_PHASE, 0, "start");
	add_section(builder, SECTION_MARK, 0, "step");
	add_levels(builder);
	add_times(builder, &paths);
	add_longest(builder, &paths);
	add_wait(builder, &paths);
	add_marks(builder, &paths);
	struct row_named_memory before = memory;

	before.name = builder_text(builder, "before");
	builder_add(builder, TABLE_named_memory, FORMAT_NO_OWNER, &before);
	builder_add(builder, TABLE_named_memory, FORMAT_NO_OWNER, &memory);
}

/* Parents in a circle and ahead, a kind that nobody knows, numbers of no row. */
void scene_tell_strange_sections(struct builder *builder)
{
	struct scene_paths paths;
	struct row_section_times times = ten_of(77, 1000000, 1000000, 1);
	struct row_section_longest longest = {.section = 1,
					      .length_ns = UINT64_MAX,
					      .wait_ns = 1,
					      .wait_path = 4000000,
					      .wait_object = 60000,
					      .wait_cause = 200,
					      .wait_operation = 250};
	struct row_marks mark = {.section = 1, .count = UINT64_MAX};
	struct row_named_memory memory = {.address = 1, .bytes = UINT64_MAX, .name = 1u << 30};

	scene_tell_workers(builder, &paths);
	add_section(builder, SECTION_CODE, 1, "itself");
	add_section(builder, SECTION_CODE, 3, "ahead");
	add_section(builder, SECTION_PHASE, 2, "phase within");
	add_section(builder, SECTION_CODE, 3, "within a phase");
	add_section(builder, (enum section_kind)1000, 4, "unknown");
	add_section(builder, SECTION_MARK, 4000000, "");
	add_level(builder, 3, 4000000, UINT32_MAX, 1);
	add_level(builder, 1, 1, UINT64_MAX / MS, UINT64_MAX / MS);
	add_level(builder, 4000000, 1, 1, 1);
	builder_add(builder, TABLE_section_times, paths.first, &times);
	times.section = 1;
	times.since_ns = 1;
	builder_add(builder, TABLE_section_times, paths.first, &times);
	times.told_ns = 1;
	times.section = 2;
	builder_add(builder, TABLE_section_times, FORMAT_NO_OWNER, &times);
	builder_add(builder, TABLE_section_longest, paths.second, &longest);
	builder_add(builder, TABLE_marks, paths.first, &mark);
	builder_add(builder, TABLE_named_memory, FORMAT_NO_OWNER, &memory);
	struct row_waits wait = {.callpath = scene_section_mark(builder, 4000, 4000000),
				 .object = 1,
				 .cause = CAUSE_MUTEX,
				 .count = 1,
				 .sum_ns = 1};

	builder_add(builder, TABLE_waits, paths.second, &wait);
	wait.callpath = scene_section_mark(builder, wait.callpath, 1);
	builder_add(builder, TABLE_waits, paths.second, &wait);
}
