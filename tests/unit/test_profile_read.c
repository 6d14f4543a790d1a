/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/read/profile_read.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

START_TEST(columns_become_fields)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "workers");
	const struct profile *profile = run->files->processes[0].profile;

	ck_assert_str_eq(profile->process.command, "./program --work");
	ck_assert_str_eq(profile->process.host, SCENE_HOST);
	ck_assert_uint_eq(profile->threads.count, 3); /* with "none" */
	ck_assert_str_eq(profile->threads.rows[2].name, "a-sixteen-chars!");
	ck_assert_uint_eq(profile->threads.rows[1].off_by_cause_ns[CAUSE_JOIN], 700000000);
	ck_assert_str_eq(profile->modules.rows[1].path, "/nowhere/program");
	ck_assert_uint_eq(profile->samples.rows[3].thread, 2);
	ck_assert_uint_eq(profile->waits.rows[0].object, 1);
	scene_run_clear(&scene);
}
END_TEST

static void tell_bad_references(struct builder *builder)
{
	struct row_callpaths loop = {
		.parent = 2, .module = 77, .flags = CALLPATH_PRESENT, .offset = 1};
	struct row_threads thread = {.tid = 5,
				     .waiting_path = 4000000000,
				     .waiting_object = 60000,
				     .waiting_cause = 200};
	struct row_samples sample = {.callpath = 999, .cpu_ns = 5, .count = 1};

	builder_add(builder, TABLE_callpaths, FORMAT_NO_OWNER,
		    &loop); /* row 1: its parent comes later */
	loop.parent = 2;    /* row 2: its parent is itself */
	builder_add(builder, TABLE_callpaths, FORMAT_NO_OWNER, &loop);
	builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread);
	builder_add(builder, TABLE_samples, 12345, &sample);
}

START_TEST(references_to_nowhere_become_none)
{
	struct profile *profile = scene_profile(tell_bad_references);

	ck_assert_uint_eq(profile->callpaths.rows[1].parent, 0);
	ck_assert_uint_eq(profile->callpaths.rows[2].parent, 0);
	ck_assert_uint_eq(profile->callpaths.rows[1].module, 0);
	ck_assert_uint_eq(profile->threads.rows[1].waiting_path, 0);
	ck_assert_uint_eq(profile->threads.rows[1].waiting_object, 0);
	ck_assert_uint_eq(profile->threads.rows[1].waiting_cause, CAUSE_OTHER);
	ck_assert_uint_eq(profile->samples.rows[0].thread, 0);
	ck_assert_uint_eq(profile->samples.rows[0].callpath, 0);
	ck_assert(profile->file->is_torn);
	profile_destroy(profile);
}
END_TEST

/* A thread that filled one block goes on in another. */
static void tell_twice(struct builder *builder)
{
	struct row_threads thread = {.tid = 5};
	struct row_concurrency level = {CONCURRENCY_ON_PROCESSOR, 1, 10};

	builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread);
	builder_add(builder, TABLE_concurrency, FORMAT_NO_OWNER, &level);
	builder_add(builder, TABLE_concurrency, FORMAT_NO_OWNER, &level);
}

START_TEST(rows_of_equal_keys_are_one)
{
	struct profile *profile = scene_profile(tell_twice);

	ck_assert_uint_eq(profile->concurrency.count, 1);
	ck_assert_uint_eq(profile->concurrency.rows[0].time_ns, 20);
	profile_destroy(profile);
}
END_TEST

/* The file's schema decides: here it calls a column that we want by another name. */
START_TEST(a_missing_column_reads_as_zero)
{
	size_t size;
	char *problem;
	unsigned char *bytes = scene_make("workers", &size);
	char *name = memmem(bytes, size, "voluntary_switches", 18);

	memcpy(name, "voluntary_zwitches", 18);
	struct profile *profile = profile_parse("x", bytes, size, &problem);

	ck_assert_ptr_nonnull(profile);
	ck_assert_uint_eq(profile->threads.rows[1].voluntary_switches, 0);
	ck_assert_uint_eq(profile->threads.rows[1].user_ns, 1200000000);
	profile_destroy(profile);
}
END_TEST

START_TEST(a_missing_table_is_empty)
{
	size_t size;
	char *problem;
	unsigned char *bytes = scene_make("workers", &size);
	char *name = memmem(bytes, size, "table samples", 13);

	memcpy(name, "table zamples", 13);
	struct profile *profile = profile_parse("x", bytes, size, &problem);

	ck_assert_uint_eq(profile->samples.count, 0);
	ck_assert_uint_eq(profile->waits.count, 1);
	profile_destroy(profile);
}
END_TEST

START_TEST(a_process_that_only_began_can_be_read)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "nothing");

	ck_assert_uint_eq(run->files->processes[0].process.pid, 1000); /* of the header */
	ck_assert_str_eq(run->files->processes[0].process.command, "");
	ck_assert(!run->is_complete);
	scene_run_clear(&scene);
}
END_TEST

UNIT_MAIN("profile_read", columns_become_fields, references_to_nowhere_become_none,
	  rows_of_equal_keys_are_one, a_missing_column_reads_as_zero, a_missing_table_is_empty,
	  a_process_that_only_began_can_be_read)
