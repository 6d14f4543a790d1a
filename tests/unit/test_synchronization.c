/* SPDX-License-Identifier: MIT */
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <string.h>

#define MS 1000000ull

static const struct sync_row *find(const struct run *run, const char *name)
{
	for (size_t i = 0; i < run->synchronization.count; i++)
		if (!strcmp(run->synchronization.names[run->synchronization.rows[i].object], name))
			return &run->synchronization.rows[i];
	ck_abort_msg("no object %s", name);
}

static const char *routine_of(const struct run *run, const struct sync_sites *sites)
{
	return names_routine(run->names, sites->rows[0].routine)->name;
}

START_TEST(calls_and_waits_of_an_object_are_one_row)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "workers");
	const struct sync_row *row = find(run, "queue_lock");

	ck_assert_uint_eq(run->synchronization.count, 1);
	ck_assert_uint_eq(row->count, 100);
	ck_assert_uint_eq(row->contended, 5);
	ck_assert_uint_eq(row->wait_ns, 500 * MS);
	ck_assert_uint_eq(row->wait_max_ns, 200 * MS);
	ck_assert_uint_eq(row->processes, 1);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(sites_are_in_the_users_code)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "workers");
	const struct sync_row *row = find(run, "queue_lock");

	ck_assert_str_eq(routine_of(run, &row->waiters),
			 "worker"); /* not the C library that it called */
	ck_assert_str_eq(routine_of(run, &row->blame), "holder");
	ck_assert_uint_eq(row->blame.rows[0].time_ns, row->wait_ns);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(objects_of_one_name_unite_over_processes)
{
	static const char *const names[] = {"workers", "workers", NULL};
	struct scene_run scene;

	scene_run_read(&scene, names);
	scene_run_model(&scene, false);
	const struct sync_row *row = find(scene.run, "queue_lock");

	ck_assert_uint_eq(scene.run->synchronization.count, 1);
	ck_assert_uint_eq(row->processes, 2);
	ck_assert_uint_eq(row->count, 200);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(a_wait_that_never_ended_counts_to_the_end)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "killed");
	const struct sync_row *row = find(run, "mutex created at worker (program.c:15)");

	ck_assert_uint_eq(row->contended, 1);
	ck_assert_uint_eq(row->wait_ns, 1000 * MS);
	ck_assert_str_eq(routine_of(run, &row->blame), "[still held]");
	ck_assert_uint_eq(row->blame.rows[0].time_ns, row->wait_ns);
	scene_run_clear(&scene);
}
END_TEST

/* Two heap mutexes of one birth, a static condition that is unknown, a joined thread, a sleep, and
 * std::mutex inlined. */
static void tell_objects(struct builder *builder)
{
	struct row_modules module = {.start = 1, .path = builder_text(builder, "program")};
	struct row_threads thread = {.tid = 1};

	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	uint32_t birth = builder_callpath(builder, 0, 1, 0x1020),
		 start = builder_callpath(builder, 0, 1, 0x2001);
	uint32_t consumer = builder_callpath(builder, 0, 1, 0x5010);
	struct row_objects objects[] = {
		{.address = 1,
		 .kind = OBJECT_MUTEX,
		 .birth = birth,
		 .members = 3,
		 .flags = OBJECT_MANY},
		{.address = 2, .kind = OBJECT_MUTEX, .birth = birth, .members = 1},
		{.address = 3,
		 .kind = OBJECT_CONDITION,
		 .module = 1,
		 .offset = 0x7777,
		 .members = 1},
		{.address = 4, .kind = OBJECT_JOIN, .birth = start, .members = 1},
	};
	struct row_waits sleep = {.callpath = birth,
				  .cause = CAUSE_SLEEP,
				  .operation = OP_USLEEP,
				  .count = 1,
				  .sum_ns = 5};
	struct row_waits lock = {.callpath = consumer,
				 .object = 1,
				 .cause = CAUSE_MUTEX,
				 .operation = OP_MUTEX_LOCK,
				 .count = 1,
				 .sum_ns = 7};
	struct row_tallies tallies[] = {
		{.tag = 1, .caller = 1, .count = 10, .object = 1, .operation = OP_MUTEX_LOCK},
		{.tag = 1, .caller = 2, .count = 20, .object = 2, .operation = OP_MUTEX_LOCK},
		{.tag = 1, .caller = 3, .count = 30, .object = 3, .operation = OP_COND_SIGNAL},
		{.tag = 1, .caller = 4, .count = 40, .object = 4, .operation = OP_JOIN},
		{.tag = 1, .caller = 5, .count = 50, .operation = OP_SEM_POST},
	};
	uint32_t owner = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread);

	for (size_t i = 0; i < 4; i++)
		builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &objects[i]);
	for (size_t i = 0; i < 5; i++)
		builder_add(builder, TABLE_tallies, owner, &tallies[i]);
	builder_add(builder, TABLE_waits, owner, &sleep);
	builder_add(builder, TABLE_waits, owner, &lock);
}

START_TEST(objects_are_named_by_what_is_known)
{
	struct scene_run scene;

	scene_run_told(&scene, tell_objects, false);
	const struct sync_row *many =
		find(scene.run, "4 mutexes first used at main (program.c:31)");

	ck_assert_uint_eq(many->count, 31);
	ck_assert_str_eq(routine_of(scene.run, &many->waiters),
			 "consumer"); /* not std::mutex::lock, inlined into it */
	ck_assert_str_eq(scene.run->synchronization.objects[many->object].created_at,
			 "main (program.c:31)");
	ck_assert_uint_eq(find(scene.run, "program+0x7777")->count, 30);
	ck_assert_uint_eq(find(scene.run, "thread worker")->count, 40);
	ck_assert_uint_eq(find(scene.run, "[other]")->count, 50);
	ck_assert_str_eq(scene.run->synchronization.objects[find(scene.run, "usleep")->object].kind,
			 "call");
	scene_run_clear(&scene);
}
END_TEST

START_TEST(waits_without_blame_break_a_law_and_are_said)
{
	struct scene_run scene;
	struct run *run;

	run = scene_run_of(&scene, "crowd");
	bool is_said = false;

	for (size_t i = 0; i < run->notes.count; i++)
		is_said |= strstr(run->notes.texts[i], "of blame for them") != NULL;
	ck_assert(is_said);
	scene_run_clear(&scene);
}
END_TEST

UNIT_MAIN("synchronization", calls_and_waits_of_an_object_are_one_row, sites_are_in_the_users_code,
	  objects_of_one_name_unite_over_processes, a_wait_that_never_ended_counts_to_the_end,
	  objects_are_named_by_what_is_known, waits_without_blame_break_a_law_and_are_said)
