/* SPDX-License-Identifier: MIT */
/* A profile restricted to a named part of the run (scene "sections", profile_scenes_sections.c). */
#include "analyze/read/profile_read.h"
#include "analyze/read/profile_within.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

#define MS 1000000ull

static struct profile *read_within(const char *scene, const char *section)
{
	size_t size;
	char *problem = NULL;
	unsigned char *bytes = scene_make(scene, &size);
	struct profile *profile = profile_parse_within("x", bytes, size, section, &problem);

	ck_assert_msg(profile != NULL, "%s", problem);
	return profile;
}

static uint64_t life_ns(const struct profile *profile, size_t thread)
{
	return profile->threads.rows[thread].updated_ns - profile->threads.rows[thread].birth_ns;
}

START_TEST(threads_have_their_accounts)
{
	struct profile *profile = read_within("sections", "solve");

	ck_assert(profile->is_in_within);
	ck_assert_uint_eq(life_ns(profile, 1), 1000 * MS);
	ck_assert_uint_eq(profile->threads.rows[1].user_ns, 850 * MS);
	ck_assert_uint_eq(life_ns(profile, 2), 1900 * MS);
	ck_assert_uint_eq(profile->threads.rows[2].user_ns, 900 * MS);
	ck_assert_uint_eq(profile->header.end_ns - profile->header.start_ns, 1000 * MS);
	profile_destroy(profile);
}
END_TEST

START_TEST(what_is_within_has_a_name_of_its_own)
{
	struct profile *profile = read_within("sections", "solve/inner");

	ck_assert(profile->is_in_within);
	ck_assert_uint_eq(life_ns(profile, 1), 400 * MS);
	ck_assert_uint_eq(profile->threads.rows[2].tid, 0); /* it was not in it */
	ck_assert_uint_eq(profile->waits.count, 0);
	profile_destroy(profile);
	profile = read_within("sections", "inner");
	ck_assert_uint_eq(life_ns(profile, 1), 400 * MS);
	profile_destroy(profile);
	profile = read_within("sections", "io/inner");
	ck_assert(!profile->is_in_within);
	profile_destroy(profile);
}
END_TEST

/* 200 of 700 ms carry both marks. */
START_TEST(waits_are_those_that_carry_the_mark)
{
	static const char *const sections[] = {"solve", "start"};

	for (size_t i = 0; i < 2; i++) {
		struct profile *profile = read_within("sections", sections[i]);

		ck_assert_uint_eq(profile->waits.count, 1);
		ck_assert_uint_eq(profile->waits.rows[0].sum_ns, 200 * MS);
		ck_assert_uint_eq(profile->blame.count, 0);
		profile_destroy(profile);
	}
}
END_TEST

START_TEST(a_mark_is_no_part_and_nothing_is_left_of_none)
{
	static const char *const names[] = {"step", "nowhere", "", "/", "solve/"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct profile *profile = read_within("sections", names[i]);

		ck_assert(!profile->is_in_within);
		ck_assert_uint_eq(profile->samples.count, 0);
		ck_assert_uint_eq(profile->waits.count, 0);
		profile_destroy(profile);
	}
}
END_TEST

/* A report can be made of it, damaged or not, with sections or without. */
START_TEST(every_scene_can_be_restricted)
{
	static const char *const names[] = {"solve", "itself", "phase within", ""};

	for (size_t i = 0; i < scene_count; i++)
		for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
			struct scene_run made = {.files = run_files_create("x")};

			run_files_add_profile(made.files, read_within(scenes[i].name, names[n]));
			scene_run_model(&made, RUN_PATHS);
			scene_run_clear(&made);
		}
}
END_TEST

UNIT_MAIN("profiles within a section", threads_have_their_accounts,
	  what_is_within_has_a_name_of_its_own, waits_are_those_that_carry_the_mark,
	  a_mark_is_no_part_and_nothing_is_left_of_none, every_scene_can_be_restricted)
