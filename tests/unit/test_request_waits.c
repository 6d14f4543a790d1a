/* SPDX-License-Identifier: MIT */
/* What a server waits for when it waits for its clients, and what it answered. */
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/process/request_waits.h"
#include "analyze/model/threads/thread_time.h"
#include "analyze/read/profile_read.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#define MS 1000000ull

enum { PROGRAM = 1 };
/* Places in the program (fake_symbolize.c). */
enum { MAIN = 0x1010, WORKER = 0x2010, SERIAL = 0x3010, HOLDER = 0x4010 };
/* Objects, in the order in which they are added. */
enum { ACCEPTED = 1, CONNECTED, POOL, ANSWERS, TURNS, OBJECTS };

static bool has_sockets;

static void add_objects(struct builder *builder)
{
	static const struct {
		enum object_kind kind;
		const char *name;
	} objects[] = {
		{OBJECT_SOCKET, "tcp 127.0.0.1:80, accepted"},
		{OBJECT_SOCKET, "tcp 127.0.0.1:5432"},
		{OBJECT_CONDITION, ""},
		{OBJECT_CONDITION, ""},
		{OBJECT_SEMAPHORE, ""},
	};

	for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
		const char *name = has_sockets || i ? objects[i].name : "tcp 127.0.0.1:80";
		struct row_objects row = {.address = 100 + i,
					  .kind = (uint8_t)objects[i].kind,
					  .members = 1,
					  .name = builder_text(builder, name)};

		builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &row);
	}
}

static uint32_t add_thread(struct builder *builder, uint32_t tid)
{
	struct row_threads row = {
		.tid = tid,
		.lives = 1,
		.birth_ns = SCENE_START,
		.updated_ns = SCENE_START + 1000 * MS,
		.user_ns = 200 * MS,
		.ready_known = 1,
		.off_ns = 800 * MS,
		.covered_ns = 1000 * MS,
	};

	return builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &row);
}

static void add_wait(struct builder *builder, uint32_t thread, uint32_t path, enum cause cause,
		     uint16_t object, uint64_t ms)
{
	struct row_waits row = {.callpath = path,
				.object = object,
				.cause = (uint8_t)cause,
				.operation = OP_READ,
				.count = 1,
				.sum_ns = ms * MS};

	builder_add(builder, TABLE_waits, thread, &row);
}

static void add_blame(struct builder *builder, uint32_t thread, uint32_t path, enum cause cause,
		      uint16_t object, uint64_t ms)
{
	struct row_blame row = {.callpath = path,
				.object = object,
				.cause = (uint8_t)cause,
				.operation = OP_COND_WAIT,
				.time_ns = ms * MS,
				.count = 1};

	builder_add(builder, TABLE_blame, thread, &row);
}

/* main takes connections and signals POOL; a worker waits there, reads, asks a database, and waits
 * for ANSWERS, which another worker signals; TURNS is posted by both. */
static void tell_server(struct builder *builder)
{
	struct row_modules module = {.path = builder_text(builder, "/nowhere/program")};
	struct row_process process = {.pid = 1000,
				      .executable = builder_text(builder, "/nowhere/program"),
				      .processors = 4};

	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	builder_add(builder, TABLE_process, FORMAT_NO_OWNER, &process);
	builder->header.start_ns = SCENE_START;
	builder->header.end_ns = SCENE_START + 1000 * MS;
	add_objects(builder);

	uint32_t in_main = builder_callpath(builder, 0, PROGRAM, MAIN);
	uint32_t in_serial = builder_callpath(builder, in_main, PROGRAM, SERIAL);
	uint32_t in_worker = builder_callpath(builder, 0, PROGRAM, WORKER);
	uint32_t in_holder = builder_callpath(builder, in_worker, PROGRAM, HOLDER);
	uint32_t first = add_thread(builder, 1000), second = add_thread(builder, 1001);

	add_wait(builder, first, in_main, has_sockets ? CAUSE_ACCEPT : CAUSE_EVENTS, 0, 300);
	add_wait(builder, first, in_serial, CAUSE_CONDITION, POOL, 100);
	add_wait(builder, second, in_worker, CAUSE_READ, ACCEPTED, 200);
	add_wait(builder, second, in_worker, CAUSE_READ, CONNECTED, 100);
	add_wait(builder, second, in_worker, CAUSE_CONDITION, POOL, 150);
	add_wait(builder, second, in_holder, CAUSE_CONDITION, ANSWERS, 50);
	add_wait(builder, second, in_holder, CAUSE_SEMAPHORE, TURNS, 80);
	add_blame(builder, second, in_serial, CAUSE_CONDITION, POOL, 150);
	add_blame(builder, second, in_holder, CAUSE_CONDITION, ANSWERS, 50);
	add_blame(builder, second, in_main, CAUSE_SEMAPHORE, TURNS, 30);
	add_blame(builder, second, in_holder, CAUSE_SEMAPHORE, TURNS, 50);
}

static struct symbolizer *symbolizer;
static struct names *names;
static struct profile *profile;
static const struct request_waits *requests;

static void open_server(bool serves)
{
	has_sockets = serves;
	symbolizer = symbolizer_create(NULL);
	names = names_create(symbolizer);
	profile = scene_profile(tell_server);
	requests = request_waits_of(names, profile);
}

static void close_server(void)
{
	names_destroy(names);
	profile_destroy(profile);
	symbolizer_destroy(symbolizer);
}

/* Of the thread's wait for the object. */
static bool is_request(size_t thread, size_t object)
{
	for (size_t i = 0; i < profile->waits.count; i++)
		if (profile->waits.rows[i].thread == thread &&
		    profile->waits.rows[i].object == object)
			return request_waits_is(requests, &profile->waits.rows[i]);
	ck_abort_msg("thread %zu does not wait for object %zu", thread, object);
}

START_TEST(a_server_waits_for_its_clients)
{
	open_server(true);
	ck_assert(is_request(2, ACCEPTED));
	ck_assert(!is_request(2, CONNECTED)); /* which the server asks */
	ck_assert(is_request(2, POOL));
	ck_assert(!is_request(1, POOL)); /* who hands the requests out is none of the pool */
	ck_assert(!is_request(2, ANSWERS));
	ck_assert(!is_request(2, TURNS)); /* mostly posted by another worker */
	close_server();
}
END_TEST

START_TEST(who_serves_nobody_has_no_pool)
{
	open_server(false);
	ck_assert(!is_request(2, ACCEPTED)); /* it is not called so */
	ck_assert(!is_request(2, POOL));
	close_server();
}
END_TEST

/* 800 ms blocked, of which waits explain 580. */
START_TEST(their_time_is_idle_whoever_waits)
{
	open_server(true);
	struct thread_time time = thread_time_of(profile, 2, profile->header.end_ns);

	ck_assert_uint_eq(time.by_cause_ns[CAUSE_READ], 0); /* of off_by_cause_ns, which has none */
	time.by_cause_ns[CAUSE_READ] = 270 * MS;
	time.by_cause_ns[CAUSE_CONDITION] = 200 * MS;
	time.by_cause_ns[CAUSE_SEMAPHORE] = 80 * MS;
	request_waits_divide(requests, &time);
	ck_assert_uint_eq(time.requests_ns[CAUSE_READ], 180 * MS);
	ck_assert_uint_eq(time.requests_ns[CAUSE_CONDITION], 150 * MS);
	ck_assert_uint_eq(time.requests_ns[CAUSE_SEMAPHORE], 0);
	ck_assert_uint_eq(idle_time_ns(&time, 200 * MS), 330 * MS);
	idle_take_out(&time, 200 * MS);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_READ], 90 * MS);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_CONDITION], 50 * MS);
	close_server();
}
END_TEST

/* Of three rows one has no socket: the process accepts at one address only. */
START_TEST(requests_are_added_by_socket_and_place)
{
	struct scene_run scene;
	const struct run *run = scene_run_of(&scene, "server");
	const struct requests *all = &run->requests;

	ck_assert_uint_eq(all->count, 1);
	ck_assert_uint_eq(all->answered, 9);
	ck_assert_str_eq(all->rows[0].socket, "tcp 127.0.0.1:80, accepted");
	ck_assert_uint_eq(all->rows[0].times.count, 9);
	ck_assert_uint_eq(all->rows[0].times.sum_ns, 9000);
	ck_assert_uint_eq(all->rows[0].times.max_ns, 1200);
	ck_assert_double_eq_tol(request_mean_ns(&all->rows[0].times), 1000, 1e-9);
	const struct histogram_percentile half = request_percentile(&all->rows[0].times, 50);

	ck_assert(half.low >= 512 && half.high <= 1024);
	ck_assert_double_eq_tol(request_percentile(&all->rows[0].times, 100).value, 1200, 1e-9);
	ck_assert_uint_eq(all->servers[0].processes, 1);
	ck_assert_double_eq_tol(request_cpu_ns(&all->servers[0]),
				(double)run->processes[0].cpu_ns / 9, 1e-6);
	scene_run_clear(&scene);
}
END_TEST

UNIT_MAIN("waits for requests", a_server_waits_for_its_clients, who_serves_nobody_has_no_pool,
	  their_time_is_idle_whoever_waits, requests_are_added_by_socket_and_place)
