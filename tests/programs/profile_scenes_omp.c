/* SPDX-License-Identifier: MIT */
/* Scenes with the tables of OpenMP: a team of two, and one whose numbers no runtime would give. */
#include "tests/programs/profile_scenes.h"

#define MS 1000000ull

/* Modules, and what the fake symbolizer calls their code. */
enum { PROGRAM = 1, RUNTIME, PROFILER };
enum { BODY = 0x10000 + 14, INNER_BODY = 0x10100 + 30, CALL = 0x10200 + 21 };

static uint32_t master, worker;
static struct row_omp_threads of_master, of_worker;
static uint64_t worker_blocked_ns;
uint32_t scene_team_pid = 1000;

static void add_modules(struct builder *builder)
{
	static const char *const paths[] = {"/nowhere/program", "/lib/libgomp.so.1",
					    "/nowhere/libptrace.so"};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct row_modules row = {
			.start = 1, .end = 2, .path = builder_text(builder, paths[i])};

		builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &row);
	}
}

/* If switches were seen, the rest of the life was on a processor. */
static void set_blocked(struct row_threads *row, uint64_t life_ns, uint64_t blocked_ns)
{
	if (!worker_blocked_ns)
		return;
	row->user_ns = life_ns - blocked_ns;
	row->covered_ns = life_ns;
	row->off_ns = blocked_ns;
	row->off_by_cause_ns[CAUSE_OPENMP] = blocked_ns;
}

/* The master lives for a second, the worker is there for 900 ms and has been idle since 800 ms. */
static void add_threads(struct builder *builder)
{
	struct row_threads row = {.tid = scene_team_pid,
				  .lives = 1,
				  .flags = THREAD_FIRST | THREAD_ALIVE,
				  .birth_ns = SCENE_START,
				  .updated_ns = SCENE_START + 1000 * MS,
				  .user_ns = 1000 * MS,
				  .ready_known = 1};

	set_blocked(&row, 1000 * MS, 0);
	master = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &row);
	row.tid++;
	row.flags = THREAD_OF_OPENMP | THREAD_ALIVE;
	row.birth_ns = SCENE_START + 100 * MS;
	row.user_ns = 400 * MS;
	set_blocked(&row, 900 * MS, worker_blocked_ns);
	worker = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &row);
}

static void begin(struct builder *builder)
{
	struct row_process process = {.pid = scene_team_pid,
				      .host = builder_text(builder, SCENE_HOST),
				      .processors = 2,
				      .threads_peak = 2,
				      .threads_started = 2,
				      .switches_ns = worker_blocked_ns ? SCENE_SECOND : 0};
	struct row_omp_process row = {.runtime = OMP_LIBGOMP,
				      .wait_policy = OMP_WAIT_PASSIVE,
				      .library = builder_text(builder, "/lib/libgomp.so.1"),
				      .threads_most = 2};

	builder->header.pid = scene_team_pid;
	builder->header.start_ns = SCENE_START;
	builder->header.end_ns = SCENE_START + SCENE_SECOND;
	builder_add(builder, TABLE_process, FORMAT_NO_OWNER, &process);
	builder_add(builder, TABLE_omp_process, FORMAT_NO_OWNER, &row);
	add_modules(builder);
	add_threads(builder);
	of_master = (struct row_omp_threads){.one = 1, .wait_ns = 60 * MS, .outside_ns = 30 * MS};
	of_worker = (struct row_omp_threads){.one = 1,
					     .wait_ns = 130 * MS,
					     .outside_ns = 120 * MS,
					     .since_ns = SCENE_START + 800 * MS};
}

static void finish(struct builder *builder)
{
	builder_add(builder, TABLE_omp_threads, master, &of_master);
	builder_add(builder, TABLE_omp_threads, worker, &of_worker);
}

static uint32_t add_entry(struct builder *builder, uint16_t module, uint64_t offset)
{
	struct row_callpaths row = {
		.module = module, .flags = CALLPATH_PRESENT | CALLPATH_EXACT, .offset = offset};

	return builder_add(builder, TABLE_callpaths, FORMAT_NO_OWNER, &row);
}

static uint32_t add_region(struct builder *builder, uint32_t place, uint32_t parent, uint16_t flags)
{
	struct row_omp_regions row = {
		.place = place, .parent = parent, .kind = OMP_REGION_PARALLEL, .flags = flags};

	return builder_add(builder, TABLE_omp_regions, FORMAT_NO_OWNER, &row);
}

/* Three executions by two threads, of 100 ms each. */
static struct row_omp_executions executions(uint32_t region)
{
	return (struct row_omp_executions){.region = region,
					   .team = 2,
					   .count = 3,
					   .elapsed_ns = 300 * MS,
					   .min_ns = 90 * MS,
					   .max_ns = 110 * MS,
					   .fork_ns = 10 * MS,
					   .work_ns = 500 * MS,
					   .wait_ns = 40 * MS,
					   .join_ns = 50 * MS,
					   .work_max_ns = 280 * MS,
					   .idle_min_ns = 10 * MS,
					   .members = 6};
}

/* And one by the master alone, which is all work. */
static struct row_omp_executions single_execution(uint32_t region)
{
	return (struct row_omp_executions){.region = region,
					   .team = 1,
					   .count = 1,
					   .elapsed_ns = 100 * MS,
					   .min_ns = 100 * MS,
					   .max_ns = 100 * MS,
					   .work_ns = 100 * MS,
					   .work_max_ns = 100 * MS,
					   .members = 1};
}

static void add_work(struct builder *builder, uint32_t region)
{
	struct row_omp_work row = {.region = region,
				   .member = 0,
				   .count = 4,
				   .body_ns = 350 * MS,
				   .work_ns = 380 * MS,
				   .most_ns = 100 * MS};

	builder_add(builder, TABLE_omp_work, master, &row);
	row.member = 1;
	row.count = 3;
	row.work_ns = 220 * MS;
	builder_add(builder, TABLE_omp_work, worker, &row);
}

static void add_constructs(struct builder *builder, uint32_t region)
{
	uint32_t call = builder_callpath(builder, 0, PROGRAM, CALL);
	uint32_t jump = builder_callpath(builder, 0, PROFILER, 0x77);
	struct row_omp_constructs rows[] = {
		{.place = call,
		 .construct = OMP_CONSTRUCT_LOOP,
		 .count = 6,
		 .time_ns = MS,
		 .pieces = 1000,
		 .timed = 10},
		{.place = jump,
		 .construct = OMP_CONSTRUCT_BARRIER,
		 .count = 6,
		 .time_ns = 30 * MS,
		 .max_ns = 20 * MS},
		{.place = call,
		 .construct = OMP_CONSTRUCT_CRITICAL,
		 .count = 5,
		 .time_ns = 8 * MS,
		 .max_ns = 4 * MS},
		{.place = call,
		 .construct = OMP_CONSTRUCT_TASKWAIT,
		 .count = 1,
		 .time_ns = 2 * MS,
		 .max_ns = 2 * MS},
	};
	struct row_omp_tasks task = {.place = call,
				     .region = (uint16_t)region,
				     .created = 10,
				     .executed = 9,
				     .stolen = 4,
				     .work_ns = 90 * MS,
				     .max_ns = 20 * MS};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		rows[i].region = (uint16_t)region;
		builder_add(builder, TABLE_omp_constructs, i ? master : worker, &rows[i]);
	}
	builder_add(builder, TABLE_omp_tasks, worker, &task);
	task.region = 0;
	builder_add(builder, TABLE_omp_tasks, master, &task);
}

void scene_tell_team(struct builder *builder)
{
	begin(builder);
	uint32_t outer =
		add_region(builder, add_entry(builder, PROGRAM, BODY), 0, OMP_REGION_AT_ENTRY);
	uint32_t inner = add_region(builder, add_entry(builder, PROGRAM, INNER_BODY), outer,
				    OMP_REGION_AT_ENTRY);
	struct row_omp_executions row = executions(outer), alone = single_execution(outer);

	builder_add(builder, TABLE_omp_executions, master, &row);
	builder_add(builder, TABLE_omp_executions, master, &alone);
	alone.region = inner;
	builder_add(builder, TABLE_omp_executions, worker, &alone);
	add_work(builder, outer);
	add_constructs(builder, outer);
	finish(builder);
}

/* The same with 120 ms in MPI_Recv of the master. */
void scene_tell_team_with_mpi(struct builder *builder)
{
	scene_tell_team(builder);
	struct row_mpi_names name = {.name = builder_text(builder, "MPI_Recv"),
				     .class = MPI_CLASS_RECEIVE};
	struct row_mpi_calls call = {.count = 1, .sum_ns = 120 * MS};

	call.call = (uint16_t)builder_add(builder, TABLE_mpi_names, FORMAT_NO_OWNER, &name);
	builder_add(builder, TABLE_mpi_calls, master, &call);
}

/* Waits at ends of regions and for an atomic. Of both threads' waits the worker was blocked for so
 * long, and the rest spun. */
static void tell_waits(struct builder *builder, uint64_t end_ns, uint64_t atomic_ns,
		       uint64_t blocked_ns)
{
	worker_blocked_ns = blocked_ns;
	begin(builder);
	worker_blocked_ns = 0;
	uint32_t call = builder_callpath(builder, 0, PROGRAM, CALL);
	uint32_t region =
		add_region(builder, add_entry(builder, PROGRAM, BODY), 0, OMP_REGION_AT_ENTRY);
	struct row_omp_executions row = executions(region);
	struct row_objects atomic = {.kind = OBJECT_ATOMIC, .members = 1};
	struct row_waits wait = {.callpath = call,
				 .cause = CAUSE_OPENMP,
				 .operation = OP_ATOMIC,
				 .count = 2,
				 .sum_ns = atomic_ns,
				 .min_ns = atomic_ns / 2,
				 .max_ns = atomic_ns / 2};

	wait.object = (uint16_t)builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &atomic);
	row.join_ns = end_ns;
	builder_add(builder, TABLE_omp_executions, master, &row);
	builder_add(builder, TABLE_waits, worker, &wait);
	of_master = (struct row_omp_threads){.one = 1};
	of_worker = (struct row_omp_threads){.one = 1, .wait_ns = end_ns, .outside_ns = end_ns};
	finish(builder);
}

void scene_tell_waits_at_ends(struct builder *builder)
{
	tell_waits(builder, 190 * MS, 10 * MS, 180 * MS);
}

void scene_tell_waits_for_atomic(struct builder *builder)
{
	tell_waits(builder, 10 * MS, 190 * MS, 180 * MS);
}

/* Either may be what it was blocked for. */
void scene_tell_waits_of_both(struct builder *builder)
{
	tell_waits(builder, 90 * MS, 110 * MS, 100 * MS);
}

void scene_tell_team_under_way(struct builder *builder)
{
	begin(builder);
	of_master.region =
		add_region(builder, add_entry(builder, PROGRAM, BODY), 0, OMP_REGION_AT_ENTRY);
	of_master.region_since_ns = SCENE_START + 250 * MS;
	of_worker.since_ns = 0;
	finish(builder);
}

void scene_tell_strange_team(struct builder *builder)
{
	begin(builder);
	uint32_t loop = add_region(builder, 4000000, 3, OMP_REGION_AT_ENTRY);
	struct row_omp_executions row = executions(77), good = executions(loop);
	struct row_omp_work work = {.region = 99, .count = 1, .work_ns = MS};
	struct row_omp_constructs construct = {
		.place = 88, .region = 500, .construct = 60000, .count = 1, .time_ns = MS};
	struct row_omp_tasks task = {.place = 66, .region = 700, .created = 1};

	add_region(builder, 0, 2, 0); /* its parent is itself */
	builder_add(builder, TABLE_omp_executions, master, &row);
	builder_add(builder, TABLE_omp_executions, 12345, &good);
	builder_add(builder, TABLE_omp_work, worker, &work);
	builder_add(builder, TABLE_omp_constructs, worker, &construct);
	construct.construct = OMP_CONSTRUCT_BARRIER;
	builder_add(builder, TABLE_omp_constructs, worker, &construct);
	builder_add(builder, TABLE_omp_tasks, worker, &task);
	of_worker.region = 1234;
	of_worker.since_ns = UINT64_MAX;
	of_master.region_since_ns = UINT64_MAX;
	finish(builder);
}
