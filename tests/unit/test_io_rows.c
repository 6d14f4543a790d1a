/* SPDX-License-Identifier: MIT */
/* Input and output in the model: names, sums, and which section a wait is in. */
#include "analyze/model/common/io_direction.h"
#include "analyze/model/sync/sync_io_rows.h"
#include "analyze/model/common/vocabulary_text.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <string.h>

#define MS 1000000ull

static const struct sync_row *find(const struct run *run, const char *name,
				   enum operation operation)
{
	const struct synchronization *all = &run->synchronization;

	for (size_t i = 0; i < all->count; i++)
		if (!strcmp(all->names[all->rows[i].object], name) &&
		    all->rows[i].operation == operation)
			return &all->rows[i];
	ck_abort_msg("no object %s", name);
}

static void tell_objects(struct builder *builder, uint32_t place)
{
	struct row_objects objects[] = {
		{.address = 7, .kind = OBJECT_FILE, .name = builder_text(builder, "/data/x")},
		{.address = 8,
		 .kind = OBJECT_PIPE,
		 .birth = place,
		 .name = builder_text(builder, "pipe:[8]")},
		{.address = 9,
		 .kind = OBJECT_SOCKET,
		 .birth = place,
		 .name = builder_text(builder, "tcp [::1]:80, accepted")},
		{.address = 10,
		 .kind = OBJECT_EVENTFD,
		 .birth = place,
		 .members = 1,
		 .name = builder_text(builder, "anon_inode:[eventfd]")},
		{.address = 11,
		 .kind = OBJECT_EVENTFD,
		 .birth = place,
		 .members = 1,
		 .name = builder_text(builder, "anon_inode:[eventfd]")},
		{.address = 3, .kind = OBJECT_MUTEX, .birth = place, .members = 1},
	};

	for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
		builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &objects[i]);
}

static void tell_calls(struct builder *builder, uint32_t owner, uint32_t place, uint32_t other)
{
	struct row_io_calls calls[] = {
		{.tag = 1,
		 .count = 5,
		 .bytes = 500,
		 .object = 1,
		 .operation = OP_READ,
		 .callpath = place},
		{.tag = 2,
		 .count = 20,
		 .bytes = 7,
		 .failed = 2,
		 .object = 1,
		 .operation = OP_READ,
		 .callpath = other},
		{.tag = 3,
		 .count = 3,
		 .bytes = 30,
		 .object = 2,
		 .operation = OP_WRITE,
		 .callpath = place},
		{.tag = 4,
		 .count = 1,
		 .bytes = 4096,
		 .object = 3,
		 .operation = OP_SENDFILE,
		 .callpath = place},
		{.tag = 5,
		 .count = 1,
		 .bytes = 8,
		 .object = 4,
		 .operation = OP_READ,
		 .callpath = place},
		{.tag = 6,
		 .count = 1,
		 .bytes = 8,
		 .object = 5,
		 .operation = OP_READ,
		 .callpath = place},
		{.tag = 7, .count = 9, .bytes = 90, .operation = OP_WRITE, .callpath = place},
		{.tag = 8, .count = 4, .operation = OP_POLL, .callpath = place},
	};

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		builder_add(builder, TABLE_io_calls, owner, &calls[i]);
}

static void tell_waits(struct builder *builder, uint32_t owner, uint32_t place, uint32_t other)
{
	struct row_waits waits[] = {
		{.callpath = other,
		 .object = 1,
		 .cause = CAUSE_READ,
		 .operation = OP_READ,
		 .count = 2,
		 .sum_ns = 6 * MS,
		 .max_ns = 5 * MS},
		{.callpath = place,
		 .cause = CAUSE_EVENTS,
		 .operation = OP_POLL,
		 .count = 4,
		 .sum_ns = 40 * MS,
		 .max_ns = 30 * MS},
		{.callpath = place,
		 .object = 6,
		 .cause = CAUSE_MUTEX,
		 .operation = OP_MUTEX_LOCK,
		 .count = 1,
		 .sum_ns = MS,
		 .max_ns = MS},
	};

	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
		builder_add(builder, TABLE_waits, owner, &waits[i]);
}

/* A file that two threads read, one of them having waited; a pipe, a socket with an address, two
 * event descriptors of one birth; poll, which has no object; a mutex. */
static void tell_io(struct builder *builder)
{
	struct row_modules module = {.start = 1, .path = builder_text(builder, "program")};
	struct row_threads thread = {.tid = 1};

	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	uint32_t place = builder_callpath(builder, 0, 1, 0x1020);
	uint32_t other = builder_callpath(builder, 0, 1, 0x5010);
	uint32_t owner = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread);

	tell_objects(builder, place);
	tell_calls(builder, owner, place, other);
	tell_waits(builder, owner, place, other);
}

START_TEST(sums_are_those_of_the_tables)
{
	struct scene_run scene;

	scene_run_told(&scene, tell_io, 0);
	struct io_rows rows = io_rows_of(&scene.run->synchronization);

	ck_assert_uint_eq(rows.calls, 5 + 20 + 3 + 1 + 1 + 1 + 9 + 4);
	ck_assert_uint_eq(rows.failed, 2);
	ck_assert_uint_eq(rows.bytes_read, 500 + 7 + 8 + 8);
	ck_assert_uint_eq(rows.bytes_written, 30 + 90);
	ck_assert_uint_eq(rows.bytes_moved, 4096);
	ck_assert_uint_eq(rows.waits, 6);
	ck_assert_uint_eq(rows.wait_ns, 46 * MS);
	/* the most waiting first, then the most bytes */
	ck_assert_int_eq(rows.rows[0]->operation, OP_POLL);
	ck_assert_int_eq(rows.rows[1]->operation, OP_READ);
	ck_assert_int_eq(rows.rows[2]->operation, OP_SENDFILE);
	for (size_t i = 0; i < rows.count; i++)
		ck_assert(io_is_io(rows.rows[i]->operation));
	ck_assert_uint_eq(rows.count, scene.run->synchronization.count - 1); /* the mutex */
	io_rows_clear(&rows);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(calls_that_waited_count_once)
{
	struct scene_run scene;

	scene_run_told(&scene, tell_io, 0);
	const struct sync_row *row = find(scene.run, "/data/x", OP_READ);

	ck_assert_uint_eq(row->count, 25);
	ck_assert_uint_eq(row->contended, 2);
	ck_assert_uint_eq(row->callers.count, 2);
	ck_assert_uint_eq(row->callers.rows[0].sums.calls, 20);
	ck_assert_uint_eq(row->callers.rows[1].sums.bytes, 500);
	ck_assert_uint_eq(row->blame.count, 0);
	ck_assert_double_eq_tol(io_row_bytes_per_call(row), 507. / 25, 1e-9);
	ck_assert_double_eq_tol(io_row_mean_wait_ns(row), 3e6, 1e-6);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(descriptors_are_named_by_path_address_or_birth)
{
	struct scene_run scene;

	scene_run_told(&scene, tell_io, 0);
	ck_assert_uint_eq(
		find(scene.run, "pipe first used at main (program.c:31)", OP_WRITE)->count, 3);
	ck_assert_uint_eq(find(scene.run, "tcp [::1]:80, accepted", OP_SENDFILE)->count, 1);
	ck_assert_uint_eq(
		find(scene.run, "2 eventfds first used at main (program.c:31)", OP_READ)->count, 2);
	ck_assert_uint_eq(find(scene.run, "[not looked up]", OP_WRITE)->count, 9);
	ck_assert_uint_eq(find(scene.run, "poll", OP_POLL)->count, 4);
	scene_run_clear(&scene);
}
END_TEST

static uint64_t waits_of_leaf(const struct run *run, const char *name)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < run->paths.count; i++)
		if (!strcmp(names_routine(run->names, run->paths.nodes[i].routine)->name, name))
			ns += run->paths.nodes[i].self.wait_ns;
	return ns;
}

START_TEST(waits_are_leaves_with_a_name)
{
	struct scene_run scene;

	scene_run_told(&scene, tell_io, RUN_PATHS);
	ck_assert_uint_eq(waits_of_leaf(scene.run, "[read file /data/x]"), 6 * MS);
	ck_assert_uint_eq(waits_of_leaf(scene.run, "[poll]"), 40 * MS);
	scene_run_clear(&scene);
}
END_TEST

/* Whatever has an operand of these kinds is input or output. */
START_TEST(every_call_on_a_descriptor_has_a_direction)
{
	for (uint64_t operation = 0; operation < OP_COUNT; operation++)
		if (vocabulary_operand(operation) == OBJECT_DESCRIPTOR)
			ck_assert_msg(io_is_io(operation), "%s", vocabulary_call(operation));
	ck_assert(!io_is_io(OP_MUTEX_LOCK));
	ck_assert(!io_is_io(OP_FUTEX_WAIT));
	ck_assert(!io_is_io(OP_COUNT));
}
END_TEST

START_TEST(a_profile_without_the_table_has_no_rows)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "workers");
	struct io_rows rows = io_rows_of(&run->synchronization);

	ck_assert_uint_eq(rows.count, 0);
	ck_assert_uint_eq(rows.calls, 0);
	io_rows_clear(&rows);
	scene_run_clear(&scene);
}
END_TEST

UNIT_MAIN("io_rows", sums_are_those_of_the_tables, calls_that_waited_count_once,
	  descriptors_are_named_by_path_address_or_birth, waits_are_leaves_with_a_name,
	  every_call_on_a_descriptor_has_a_direction, a_profile_without_the_table_has_no_rows)
