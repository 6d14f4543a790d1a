/* SPDX-License-Identifier: MIT */
#include "tests/programs/profile_scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Addresses in the module; see the fake symbolizer of the unit tests. */
enum place {
	PLACE_MAIN = 0x1000,
	PLACE_WORKER = 0x2000,
	PLACE_SERIAL = 0x3000,
	PLACE_HOLDER = 0x4000,
	PLACE_LOCK = 0x9000
};

enum module { MODULE_PROGRAM = 1, MODULE_LIBC, MODULE_PROFILER };

static void add_modules(struct builder *builder)
{
	static const char *const paths[] = {"/nowhere/program", "/nowhere/libc.so.6",
					    "/nowhere/libptrace.so"};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct row_modules row = {
			.start = 0x400000 + 0x100000 * i,
			.end = 0x500000 + 0x100000 * i,
			.path = builder_text(builder, paths[i]),
			.build_id = "0123456789abcdef",
		};

		builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &row);
	}
}

static void add_process(struct builder *builder, uint64_t seconds, uint32_t threads)
{
	struct row_process row = {
		.pid = builder->header.pid,
		.parent_pid = 1,
		.command = builder_text(builder, "./program --work"),
		.executable = builder_text(builder, "/nowhere/program"),
		.host = builder_text(builder, SCENE_HOST),
		.processors = 2,
		.threads_peak = threads,
		.threads_started = threads,
		.switches_ns = seconds * SCENE_SECOND,
		.tally_cost_ps = 5000,
		.lock_cost_ps = 5000,
		.pair_cost_ps = 10000,
		.start_cost_ns = 1000000,
		.sample_period_ns = 5000000,
	};

	builder->header.start_ns = SCENE_START;
	builder->header.start_realtime_ns = 1700000000 * SCENE_SECOND;
	builder->header.end_ns = SCENE_START + seconds * SCENE_SECOND;
	builder->header.heartbeat_ns = builder->header.end_ns;
	builder_add(builder, TABLE_process, FORMAT_NO_OWNER, &row);
}

static void add_level(struct builder *builder, uint32_t kind, uint32_t active,
		      uint64_t milliseconds)
{
	struct row_concurrency row = {kind, active, milliseconds * 1000000};

	builder_add(builder, TABLE_concurrency, FORMAT_NO_OWNER, &row);
}

static struct row_threads a_thread(uint32_t tid, uint64_t life_ms, uint64_t cpu_ms)
{
	return (struct row_threads){
		.tid = tid,
		.lives = 1,
		.birth_ns = SCENE_START,
		.updated_ns = SCENE_START + life_ms * 1000000,
		.user_ns = cpu_ms * 1000000,
		.ready_known = 1,
		.covered_ns = life_ms * 1000000,
		.off_ns = (life_ms - cpu_ms) * 1000000,
	};
}

static void add_sample(struct builder *builder, uint32_t thread, uint32_t callpath, uint32_t level,
		       uint64_t ms)
{
	struct row_samples row = {
		.callpath = callpath, .level = level, .cpu_ns = ms * 1000000, .count = ms / 5};

	builder_add(builder, TABLE_samples, thread, &row);
}

static void add_workers_levels(struct builder *builder)
{
	add_level(builder, CONCURRENCY_ON_PROCESSOR, 0, 100);
	add_level(builder, CONCURRENCY_ON_PROCESSOR, 1, 1600);
	add_level(builder, CONCURRENCY_ON_PROCESSOR, 2, 300);
	add_level(builder, CONCURRENCY_USEFUL, 0, 100);
	add_level(builder, CONCURRENCY_USEFUL, 1, 1700);
	add_level(builder, CONCURRENCY_USEFUL, 2, 200);
}

static uint16_t add_queue_lock(struct builder *builder)
{
	struct row_objects lock = {
		.address = 0x400000 + PLACE_LOCK,
		.offset = PLACE_LOCK,
		.module = MODULE_PROGRAM,
		.kind = OBJECT_MUTEX,
		.members = 1,
	};

	return (uint16_t)builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &lock);
}

/* 100 calls, 5 of which waited for half a second because of `holder`. */
static void add_contention(struct builder *builder, uint32_t thread, uint32_t site, uint32_t holder)
{
	uint16_t object = add_queue_lock(builder);
	struct row_waits wait = {
		.callpath = site,
		.object = object,
		.cause = CAUSE_MUTEX,
		.operation = OP_MUTEX_LOCK,
		.count = 5,
		.sum_ns = 500000000,
		.min_ns = 50000000,
		.max_ns = 200000000,
	};
	struct row_blame blame = {
		.callpath = holder,
		.object = object,
		.cause = CAUSE_MUTEX,
		.operation = OP_MUTEX_LOCK,
		.time_ns = 500000000,
		.count = 5,
	};
	struct row_tallies tally = {
		.tag = 1,
		.caller = 1,
		.count = 95,
		.object = object,
		.operation = OP_MUTEX_LOCK,
		.callpath = site,
	};

	builder_add(builder, TABLE_waits, thread, &wait);
	builder_add(builder, TABLE_blame, thread, &blame);
	builder_add(builder, TABLE_tallies, thread, &tally);
}

/* main works alone for 1 s (in `serial`), then waits 1 s for the worker; queue_lock is waited for
 * 0.5 s, held by `holder`. */
void scene_tell_workers(struct builder *builder, struct scene_paths *paths)
{
	add_modules(builder);
	add_process(builder, 2, 2);
	add_workers_levels(builder);

	uint32_t in_main = builder_callpath(builder, 0, MODULE_PROGRAM, PLACE_MAIN + 16);
	uint32_t serial = builder_callpath(builder, in_main, MODULE_PROGRAM, PLACE_SERIAL + 16);
	uint32_t worker = builder_callpath(builder, 0, MODULE_PROGRAM, PLACE_WORKER + 16);
	uint32_t site = builder_callpath(builder, worker, MODULE_LIBC, 0x100);
	uint32_t holder = builder_callpath(builder, in_main, MODULE_PROGRAM, PLACE_HOLDER + 16);
	struct row_threads first = a_thread(1000, 2000, 1200), second = a_thread(1001, 2000, 1000);

	first.flags = THREAD_FIRST;
	first.off_by_cause_ns[CAUSE_JOIN] = 700000000;
	second.start = worker;
	second.off_by_cause_ns[CAUSE_MUTEX] = 500000000;
	memcpy(first.name, "program", 8);
	memcpy(second.name, "a-sixteen-chars!", 16);

	uint32_t a = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &first);
	uint32_t b = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &second);

	add_sample(builder, a, serial, 1, 1000);
	add_sample(builder, a, holder, 2, 150);
	add_sample(builder, b, worker, 2, 400);
	add_sample(builder, b, worker, 1, 600);
	add_contention(builder, b, site, holder);
	*paths = (struct scene_paths){a, b, serial, holder, worker};
}

static void tell_workers(struct builder *builder)
{
	struct scene_paths paths;

	scene_tell_workers(builder, &paths);
}

/* The same, with hashed tables that have empty rows. */
static void tell_sparse(struct builder *builder)
{
	builder->is_sparse = true;
	tell_workers(builder);
}

/* Killed without a word after 2 s; thread 1001 has been waiting for a heap mutex for 1 s. */
static void tell_killed(struct builder *builder)
{
	add_modules(builder);
	add_process(builder, 2, 2);
	builder->header.state = FORMAT_STATE_RUNNING;
	builder->header.end_ns = 0;
	add_level(builder, CONCURRENCY_ON_PROCESSOR, 1, 2000);

	uint32_t worker = builder_callpath(builder, 0, MODULE_PROGRAM, PLACE_WORKER + 16);
	struct row_objects lock = {.address = 0x10000,
				   .kind = OBJECT_MUTEX,
				   .members = 1,
				   .birth = worker,
				   .flags = OBJECT_INITIALISED};
	uint16_t object = (uint16_t)builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &lock);
	struct row_threads first = a_thread(1000, 2000, 2000), second = a_thread(1001, 1000, 1000);

	first.flags = THREAD_FIRST | THREAD_ALIVE;
	second.flags = THREAD_ALIVE;
	second.off_since_ns = second.waiting_since_ns = SCENE_START + SCENE_SECOND;
	second.waiting_cause = CAUSE_MUTEX;
	second.waiting_object = object;
	second.waiting_path = worker;
	builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &first);
	builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &second);
}

/* One thread, no switch records: exact all the same. Its end is known from its parent only,
 * "waits", below. */
static void tell_single(struct builder *builder)
{
	add_modules(builder);
	add_process(builder, 2, 1);

	struct row_threads only = a_thread(builder->header.pid, 2000, 500);

	only.covered_ns = only.off_ns = 0;
	only.flags = THREAD_FIRST;
	builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &only);
	builder->header.state = FORMAT_STATE_RUNNING;
	builder->header.end_ns = 0;
}

/* A parent that has seen process 1000 die of SIGSEGV, 3 s after the start. */
static void tell_parent(struct builder *builder)
{
	struct row_children child = {
		.pid = 1000, .status = 11, .end_ns = SCENE_START + 3 * SCENE_SECOND};
	struct row_notes note = {.code = NOTE_NO_TIMER, .detail = 11, .count = 3};

	builder->header.pid = 1;
	add_modules(builder);
	add_process(builder, 4, 1);
	note.text = builder_text(builder, "a thread could not get a sampling timer (error %u)");
	builder_add(builder, TABLE_children, FORMAT_NO_OWNER, &child);
	builder_add(builder, TABLE_notes, FORMAT_NO_OWNER, &note);

	struct row_threads only = a_thread(1, 4000, 100);

	builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &only);
}

/* A process that began to exist, and no more. */
static void tell_nothing(struct builder *builder)
{
	builder->header.state = FORMAT_STATE_RUNNING;
}

/* Many rows of everything: more than the default report shows. */
static void tell_crowd(struct builder *builder)
{
	add_modules(builder);
	add_process(builder, 2, 40);
	for (uint32_t i = 0; i < 40; i++) {
		uint32_t path = builder_callpath(builder, 0, MODULE_PROGRAM, 0x10000 + 0x100 * i);
		struct row_threads row = a_thread(2000 + i, 2000, 100);
		struct row_objects lock = {.address = 0x10000 + 64 * i,
					   .kind = OBJECT_MUTEX,
					   .members = 1,
					   .birth = path};
		uint16_t object =
			(uint16_t)builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &lock);
		struct row_waits wait = {.callpath = path,
					 .object = object,
					 .cause = CAUSE_MUTEX,
					 .operation = OP_MUTEX_LOCK,
					 .count = i + 1,
					 .sum_ns = 1000000 * (i + 1),
					 .max_ns = 1000000};
		struct row_notes note = {.code = 1000 + i, .count = 1};
		char text[64];

		snprintf(text, sizeof text, "note number %u", i);
		note.text = builder_text(builder, text);
		snprintf(row.name, sizeof row.name, "worker-%u", i);
		uint32_t thread = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &row);

		add_level(builder, CONCURRENCY_ON_PROCESSOR, i, 50);
		add_sample(builder, thread, path, i + 1, 90);
		builder_add(builder, TABLE_waits, thread, &wait);
		builder_add(builder, TABLE_notes, FORMAT_NO_OWNER, &note);
	}
}

/* The worker was called by the other, too; its thread creates one. */
static void tell_instrumented(struct builder *builder)
{
	struct scene_paths paths;
	struct row_calls serial = {.callpath = 0, .count = 10, .sequential = 10};

	scene_tell_workers(builder, &paths);
	serial.callpath = paths.serial;
	serial.total_ns = serial.self_ns = SCENE_SECOND / 2;
	builder_add(builder, TABLE_calls, paths.first, &serial);

	struct row_calls worker = {.callpath = paths.worker,
				   .count = 4,
				   .sequential = 1,
				   .open = 1,
				   .total_ns = SCENE_SECOND,
				   .self_ns = SCENE_SECOND / 4,
				   .threads = 1,
				   .started_ns = SCENE_SECOND};

	builder_add(builder, TABLE_calls, paths.second, &worker);
	builder_add(builder, TABLE_calls, paths.first, &worker);
}

/* The two read a file, of which one waited; one writes to a pipe. */
static void tell_io(struct builder *builder)
{
	struct scene_paths paths;

	scene_tell_workers(builder, &paths);
	struct row_objects file = {
		.address = 7, .kind = OBJECT_FILE, .name = builder_text(builder, "/data/x")};
	struct row_objects pipe = {.address = 8,
				   .kind = OBJECT_PIPE,
				   .birth = paths.worker,
				   .name = builder_text(builder, "pipe:[8]")};
	uint16_t read = (uint16_t)builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &file);
	uint16_t written = (uint16_t)builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &pipe);
	struct row_io_calls reads = {.tag = 1,
				     .count = 900,
				     .bytes = 9001,
				     .failed = 3,
				     .object = read,
				     .operation = OP_READ,
				     .callpath = paths.worker};
	struct row_io_calls writes = {.tag = 2,
				      .count = 300,
				      .bytes = 77,
				      .object = written,
				      .operation = OP_WRITE,
				      .callpath = paths.serial};
	struct row_waits wait = {.callpath = paths.worker,
				 .object = read,
				 .cause = CAUSE_READ,
				 .operation = OP_READ,
				 .count = 4,
				 .sum_ns = SCENE_SECOND / 10,
				 .max_ns = SCENE_SECOND / 20};

	builder_add(builder, TABLE_io_calls, paths.second, &reads);
	builder_add(builder, TABLE_io_calls, paths.first, &writes);
	builder_add(builder, TABLE_waits, paths.second, &wait);
	reads.callpath = paths.serial;
	builder_add(builder, TABLE_io_calls, paths.first, &reads);
}

/* The other end of the pipe that the scene io writes to. */
static void tell_reader(struct builder *builder)
{
	struct scene_paths paths;

	scene_tell_workers(builder, &paths);
	struct row_objects pipe = {.address = 8,
				   .kind = OBJECT_PIPE,
				   .birth = paths.worker,
				   .name = builder_text(builder, "pipe:[8]")};
	uint16_t object = (uint16_t)builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &pipe);
	struct row_io_calls reads = {.tag = 1,
				     .count = 30,
				     .bytes = 77,
				     .object = object,
				     .operation = OP_READ,
				     .callpath = paths.worker};
	struct row_waits wait = {.callpath = paths.worker,
				 .object = object,
				 .cause = CAUSE_READ,
				 .operation = OP_READ,
				 .count = 3,
				 .sum_ns = SCENE_SECOND / 2,
				 .max_ns = SCENE_SECOND / 4};

	builder_add(builder, TABLE_io_calls, paths.first, &reads);
	builder_add(builder, TABLE_waits, paths.first, &wait);
}

/* Both threads answer requests at one place, the second one also on a socket without a name. */
static void tell_server(struct builder *builder)
{
	struct scene_paths paths;

	scene_tell_workers(builder, &paths);
	struct row_objects socket = {.address = 9,
				     .kind = OBJECT_SOCKET,
				     .birth = paths.worker,
				     .name = builder_text(builder, "tcp 127.0.0.1:80, accepted")};
	uint16_t object = (uint16_t)builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &socket);
	struct row_requests row = {.tag = 1,
				   .callpath = paths.worker,
				   .object = object,
				   .operation = OP_WRITE,
				   .count = 3,
				   .sum_ns = 3 * 1000,
				   .min_ns = 600,
				   .max_ns = 1200,
				   .histogram = {[9] = 2, [10] = 1}};

	builder_add(builder, TABLE_requests, paths.first, &row);
	builder_add(builder, TABLE_requests, paths.second, &row);
	row.tag = 2;
	row.object = 0;
	builder_add(builder, TABLE_requests, paths.second, &row);
}

const struct scene scenes[] = {
	{"workers", "two threads, a lock, a part that runs alone", tell_workers},
	{"sparse", "the same, hashed tables with empty rows", tell_sparse},
	{"killed", "killed while a thread waited for a mutex", tell_killed},
	{"single", "one thread, no switch records, no word of an end", tell_single},
	{"server", "two threads answered requests", tell_server},
	{"parent", "has seen process 1000 die of SIGSEGV", tell_parent},
	{"nothing", "no rows at all", tell_nothing},
	{"crowd", "forty of everything", tell_crowd},
	{"rank", "one of two ranks, with calls, a peer, a collective call", scene_tell_rank},
	{"team", "two threads in OpenMP regions, with constructs and tasks", scene_tell_team},
	{"counted", "the two threads counted events", scene_tell_counted},
	{"shared-lines", "one of the two reads what the other one writes", scene_tell_shared_lines},
	{"instrumented", "the two threads called instrumented routines", tell_instrumented},
	{"io", "the two threads read a file and write to a pipe", tell_io},
	{"reader", "the two threads have the other end of that pipe", tell_reader},
	{"sections", "the two threads told named parts of the run", scene_tell_sections},
	{"strange-sections", "sections with references to nowhere", scene_tell_strange_sections},
	{"strange-counts", "events, counts and formulas that make no sense",
	 scene_tell_strange_counts},
	{"strange-team", "OpenMP regions with references to nowhere", scene_tell_strange_team},
	{"strange", "a rank with numbers that no MPI would give", scene_tell_strange_rank},
	{"omp-ends", "a member of a team was blocked at ends of regions", scene_tell_waits_at_ends},
	{"omp-atomic", "a member of a team was blocked for an atomic", scene_tell_waits_for_atomic},
	{"omp-both", "a member of a team was blocked, for either", scene_tell_waits_of_both},
};
const size_t scene_count = sizeof scenes / sizeof *scenes;

unsigned char *scene_make(const char *name, size_t *size)
{
	for (size_t i = 0; i < scene_count; i++)
		if (!strcmp(scenes[i].name, name)) {
			struct builder builder;

			builder_start(&builder);
			scenes[i].tell(&builder);
			return builder_finish(&builder, size);
		}
	return NULL;
}
