/* SPDX-License-Identifier: MIT */
/* The rules on input and output, with a run that has the problem and with one that has not. */
#include "tests/unit/finding_scene.h"

static void make_calls(struct scene *scene, enum operation operation, uint64_t calls,
		       uint64_t bytes)
{
	static struct io_caller caller;

	caller = (struct io_caller){.routine = scene->site.routine, .sums = {calls, bytes, 0}};
	scene->syncs[0] = (struct sync_row){.operation = operation,
					    .count = calls,
					    .io = {calls, bytes, 0},
					    .callers = {.rows = &caller, .count = 1}};
	scene->objects[0].kind = "file";
	scene->run.synchronization.count = 1;
}

START_TEST(waits_to_read_are_found_with_object_and_site)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_READ, CAUSE_READ, 10, 800 * MS);
	block(&scene, 1, CAUSE_READ, 800 * MS);
	const struct finding *finding = find(&scene, "io-wait");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-9);
	ck_assert_str_eq(step(finding, FINDING_OBJECT)->name, "first");
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "work");
	ASSERT_SAYS(finding, "800 ms of waiting for first, mostly in work");
	ck_assert_ptr_null(find(&scene, "blocked"));
	end(&scene);
}
END_TEST

START_TEST(waits_for_work_are_never_accused)
{
	static const struct {
		enum operation operation;
		enum cause cause;
	} work[] = {{OP_EPOLL_WAIT, CAUSE_EVENTS}, {OP_ACCEPT, CAUSE_ACCEPT}};

	for (size_t i = 0; i < 2; i++) {
		struct scene scene;

		begin(&scene);
		make_idle(&scene);
		make_wait(&scene, work[i].operation, work[i].cause, 10, 800 * MS);
		block(&scene, 1, work[i].cause, 800 * MS);
		ck_assert_ptr_null(find(&scene, "io-wait"));
		ck_assert_ptr_null(find(&scene, "blocked"));
		end(&scene);
	}
}
END_TEST

START_TEST(short_waits_are_what_programs_are_for)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_FSYNC, CAUSE_DISK, 10, 80 * MS);
	block(&scene, 1, CAUSE_DISK, 80 * MS);
	ck_assert_ptr_null(find(&scene, "io-wait"));
	end(&scene);
}
END_TEST

/* 1 million calls at 0.5 us are 0.5 s of CPU time, of 2 s. */
START_TEST(many_small_writes_are_found)
{
	struct scene scene;

	begin(&scene);
	make_calls(&scene, OP_WRITE, 1000000, 10000000);
	scene.process.sum.system_ns = SECOND;
	const struct finding *finding = find(&scene, "small-io");

	ck_assert_ptr_nonnull(finding);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ck_assert_double_gt(finding->severity_percent, 20);
	ck_assert_double_le(finding->severity_percent, 25);
	ASSERT_SAYS(finding, "1000000 calls that read or wrote 10 B each on average");
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "work");
	/* no more than all system time can be won */
	scene.process.sum.system_ns = 10 * MS;
	ck_assert_ptr_null(find(&scene, "small-io"));
	end(&scene);
}
END_TEST

/* A stream that is flushed after each line is no better than write. */
START_TEST(small_calls_of_stdio_are_found_with_their_place)
{
	static const enum operation operations[] = {OP_FREAD, OP_FWRITE, OP_GETLINE,
						    OP_GETC,  OP_FFLUSH, OP_PRINTF};

	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
		struct scene scene;

		begin(&scene);
		make_calls(&scene, operations[i], 1000000, 47000000);
		scene.process.sum.system_ns = SECOND;
		const struct finding *finding = find(&scene, "small-io");

		ck_assert_ptr_nonnull(finding);
		ASSERT_SAYS(finding, "1000000 calls that read or wrote 47 B each on average");
		ASSERT_SAYS(finding, " of first in work");
		ck_assert_int_eq(!!strstr(finding->advice, "Flush only"),
				 operations[i] == OP_FFLUSH);
		end(&scene);
	}
}
END_TEST

/* Nobody makes most of the calls. */
START_TEST(a_caller_of_half_the_calls_is_not_named)
{
	struct scene scene;

	begin(&scene);
	make_calls(&scene, OP_WRITE, 1000000, 10000000);
	scene.syncs[0].callers.rows[0].sums.calls = 500000;
	scene.process.sum.system_ns = SECOND;
	ck_assert_ptr_null(strstr(find(&scene, "small-io")->evidence, " in "));
	end(&scene);
}
END_TEST

START_TEST(large_few_and_buffered_calls_are_not_small)
{
	static const struct {
		enum operation operation;
		uint64_t calls, bytes;
		const char *kind;
	} other[] = {
		{OP_WRITE, 1000000, 4096 * 1000000ull, "file"},
		{OP_WRITE, 10000, 10000, "file"},
		/* whole buffers but for the last ones; flushes of nothing; messages */
		{OP_PRINTF, 1000000, 4000 * 1000000ull, "file"},
		{OP_FFLUSH, 1000000, 0, "file"},
		{OP_MSGSND, 1000000, 8000000, "queue"},
		{OP_READ, 1000000, 8000000, "eventfd"},
	};

	for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
		struct scene scene;

		begin(&scene);
		make_calls(&scene, other[i].operation, other[i].calls, other[i].bytes);
		scene.objects[0].kind = other[i].kind;
		scene.process.sum.system_ns = SECOND;
		ck_assert_ptr_null(find(&scene, "small-io"));
		end(&scene);
	}
}
END_TEST

/* Two threads, of which one waits for a lock for 0.8 s of a second; for io_ns of that the other one
 * wrote to an object while it held the lock. */
static void begin_held(struct scene *scene, struct sync_site *holder, uint64_t io_ns)
{
	begin(scene);
	make_idle(scene);
	make_wait(scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 10, 800 * MS);
	block(scene, 1, CAUSE_MUTEX, 800 * MS);
	*holder = (struct sync_site){.routine = scene->site.routine,
				     .count = 10,
				     .time_ns = 800 * MS,
				     .holder_io = {.ns = io_ns,
						   .most_ns = io_ns,
						   .routine = scene->site.routine,
						   .object = 1,
						   .operation = OP_WRITE}};
	scene->syncs[0].blame = (struct sync_sites){.rows = holder, .count = 1};
}

START_TEST(a_lock_held_in_output_is_told_once)
{
	struct sync_site holder;
	struct scene scene;

	begin_held(&scene, &holder, 600 * MS);
	const struct finding *finding = find(&scene, "lock-io");

	ck_assert_ptr_nonnull(finding);
	ck_assert_str_eq(step(finding, FINDING_OBJECT)->name, "first");
	ASSERT_SAYS(
		finding,
		"800 ms of waiting for first, held by work; for 75 % of it, at least, the holder waited");
	ASSERT_SAYS(finding, "most of it in write of second at work");
	ck_assert_double_le(finding->elapsed_percent, 60);
	ck_assert_ptr_null(find(&scene, "lock-contention"));
	end(&scene);
}
END_TEST

START_TEST(output_for_a_part_of_the_waiting_is_evidence_only)
{
	struct sync_site holder;
	struct scene scene;

	begin_held(&scene, &holder, 300 * MS);
	ck_assert_ptr_null(find(&scene, "lock-io"));
	ASSERT_SAYS(find(&scene, "lock-contention"),
		    "for 300 ms of it, at least, the holder waited for input and output");
	end(&scene);
	begin_held(&scene, &holder, 0);
	ck_assert_ptr_null(find(&scene, "lock-io"));
	ck_assert_ptr_null(strstr(find(&scene, "lock-contention")->evidence, "input and output"));
	end(&scene);
}
END_TEST

UNIT_MAIN("finding_io", a_lock_held_in_output_is_told_once,
	  output_for_a_part_of_the_waiting_is_evidence_only,
	  waits_to_read_are_found_with_object_and_site, waits_for_work_are_never_accused,
	  short_waits_are_what_programs_are_for, many_small_writes_are_found,
	  small_calls_of_stdio_are_found_with_their_place, a_caller_of_half_the_calls_is_not_named,
	  large_few_and_buffered_calls_are_not_small)
