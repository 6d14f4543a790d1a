/* SPDX-License-Identifier: MIT */
/* A job of two ranks, read from profiles: calls, places, pairs of ranks. */
#include "analyze/model/mpi/mpi_accumulator.h"
#include "analyze/model/process/process.h"
#include "analyze/read/profile_read.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define MS 1000000ull

static uint64_t rank_to_tell;

static uint32_t add_name(struct builder *builder, const char *name, uint32_t class)
{
	struct row_mpi_names row = {.name = builder_text(builder, name), .class = class};

	return builder_add(builder, TABLE_mpi_names, FORMAT_NO_OWNER, &row);
}

static uint16_t add_module(struct builder *builder, const char *path)
{
	struct row_modules row = {.start = 1, .end = 2, .path = builder_text(builder, path)};

	return (uint16_t)builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &row);
}

static void add_rank(struct builder *builder)
{
	struct row_process process = {.pid = 1000 + (uint32_t)rank_to_tell,
				      .host = builder_text(builder, SCENE_HOST),
				      .processors = 2,
				      .threads_peak = 1,
				      .threads_started = 1};
	struct row_mpi_process row = {.size = 2,
				      .rank = (uint32_t)rank_to_tell,
				      .library = builder_text(builder, "Some MPI")};

	builder->header.pid = process.pid;
	builder->header.start_ns = SCENE_START;
	builder->header.end_ns = SCENE_START + SCENE_SECOND;
	builder_add(builder, TABLE_process, FORMAT_NO_OWNER, &process);
	builder_add(builder, TABLE_mpi_process, FORMAT_NO_OWNER, &row);
}

/* Each rank computes; rank 1 is in MPI_Recv for 300 ms and has been in another for 200 ms when it
 * is killed. Both have received and sent from main, through the Fortran layer of the library. */
static void tell_rank(struct builder *builder)
{
	add_rank(builder);
	uint16_t program = add_module(builder, "/nowhere/program");
	uint16_t layer = add_module(builder, "/lib/libmpi_mpifh.so.40");
	uint32_t in_main = builder_callpath(builder, 0, program, 0x1000 + 16);
	uint32_t path = builder_callpath(builder, in_main, layer, 0x100);
	uint32_t other_path = builder_callpath(builder, in_main, layer, 0x200);
	uint32_t receive = add_name(builder, "MPI_Recv", MPI_CLASS_RECEIVE);
	uint32_t post = add_name(builder, "MPI_Isend", MPI_CLASS_SEND);
	struct row_threads thread = {.tid = 7,
				     .lives = 1,
				     .flags = THREAD_FIRST | THREAD_ALIVE,
				     .birth_ns = SCENE_START,
				     .updated_ns = SCENE_START + SCENE_SECOND,
				     .user_ns = 1000 * MS,
				     .ready_known = 1};

	if (rank_to_tell) {
		thread.waiting_since_ns = SCENE_START + 800 * MS;
		thread.waiting_cause = CAUSE_MPI;
		thread.waiting_path = path;
	}
	uint32_t owner = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread);
	struct row_mpi_calls isend = {.callpath = other_path,
				      .call = (uint16_t)post,
				      .count = 10,
				      .sum_ns = 10 * MS,
				      .max_ns = 2 * MS,
				      .min_ns = MS,
				      .bytes_sent = 1000,
				      .completed = 10,
				      .flight_ns = 100 * MS,
				      .finish_ns = 25 * MS};
	struct row_mpi_calls recv = {.callpath = path,
				     .call = (uint16_t)receive,
				     .count = 4,
				     .sum_ns = 300 * MS,
				     .max_ns = 100 * MS,
				     .min_ns = MS,
				     .bytes_received = 400};
	struct row_mpi_peers peer = {.peer = (uint32_t)(2 - rank_to_tell),
				     .messages_sent = 10,
				     .bytes_sent = 1000,
				     .messages_received = rank_to_tell ? 3 : 0,
				     .bytes_received = rank_to_tell ? 400 : 0,
				     .wait_ns = rank_to_tell ? 300 * MS : 0};

	builder_add(builder, TABLE_mpi_calls, owner, &isend);
	if (rank_to_tell)
		builder_add(builder, TABLE_mpi_calls, owner, &recv);
	builder_add(builder, TABLE_mpi_peers, owner, &peer);
}

static void add_to(struct mpi_accumulator *accumulator, struct profile *profile, size_t index)
{
	struct thread_time time = thread_time_of(profile, 1, SCENE_START + SCENE_SECOND);
	struct process process = {.index = index,
				  .rank = mpi_rank_of(profile),
				  .life = {.end_ns = SCENE_START + SCENE_SECOND},
				  .threads = &time,
				  .thread_count = 1};

	mpi_accumulator_add(accumulator, profile, &process);
}

struct job {
	struct symbolizer *symbolizer;
	struct names *names;
	struct mpi mpi;
};

/* In the order of ranks, or backwards: the result must be the same. */
static struct job read_job(const uint64_t *order)
{
	struct job job = {.symbolizer = symbolizer_create(NULL)};

	job.names = names_create(job.symbolizer);
	struct mpi_accumulator *accumulator = mpi_accumulator_create(job.names);

	for (size_t i = 0; i < 2; i++) {
		rank_to_tell = order[i];
		struct profile *profile = scene_profile(tell_rank);

		add_to(accumulator, profile, i);
		names_forget(job.names);
		profile_destroy(profile);
	}
	job.mpi = mpi_accumulator_finish(accumulator, 0);
	return job;
}

static void clear_job(struct job *job)
{
	mpi_clear(&job->mpi);
	names_destroy(job->names);
	symbolizer_destroy(job->symbolizer);
}

static const uint64_t orders[2][2] = {{0, 1}, {1, 0}};

START_TEST(calls_of_all_ranks_are_added_up)
{
	for (size_t i = 0; i < 2; i++) {
		struct job job = read_job(orders[i]);
		const struct mpi_site *receive = &job.mpi.lists.calls[0];
		const struct mpi_site *send = &job.mpi.lists.calls[1];

		ck_assert_uint_eq(job.mpi.lists.call_count, 2);
		ck_assert_str_eq(receive->call, "MPI_Recv");
		/* the call that is under way has been counted by its beginning */
		ck_assert_uint_eq(receive->figures.count, 4);
		ck_assert_uint_eq(receive->figures.sum_ns, 500 * MS);
		ck_assert_uint_eq(receive->figures.bytes_received, 400);
		ck_assert_uint_eq(receive->spread.max_rank, 1);
		ck_assert_double_eq_tol(receive->spread.min_ns, 0, 1e-6);
		ck_assert_double_eq_tol(receive->spread.mean_ns, 250.0 * MS, 1e-3);
		ck_assert_double_eq_tol(mpi_site_variation(receive), 1, 1e-9);
		ck_assert_uint_eq(send->figures.count, 20);
		ck_assert_uint_eq(send->figures.bytes_sent, 2000);
		ck_assert_double_eq_tol(mpi_site_variation(send), 0, 1e-9);
		ck_assert_double_eq_tol(mpi_figures_overlap(&send->figures), 0.75, 1e-9);
		clear_job(&job);
	}
}
END_TEST

START_TEST(a_place_lies_outside_the_library)
{
	struct job job = read_job(orders[0]);

	ck_assert_uint_eq(job.mpi.lists.site_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct mpi_site *site = &job.mpi.lists.sites[i];

		ck_assert_str_eq(names_routine(job.names, site->routine)->name, "main");
		ck_assert_uint_eq(site->line, 15);
	}
	clear_job(&job);
}
END_TEST

START_TEST(pairs_are_seen_from_both_sides)
{
	struct job job = read_job(orders[1]);
	const struct mpi_pairs *pairs = &job.mpi.pairs;

	ck_assert_uint_eq(pairs->count, 2);
	ck_assert_uint_eq(pairs->rows[0].rank, 1);
	ck_assert_uint_eq(pairs->rows[0].peer, 0);
	ck_assert_uint_eq(pairs->rows[0].bytes_received, 400);
	ck_assert_uint_eq(pairs->rows[0].wait_ns, 300 * MS);
	ck_assert_uint_eq(pairs->rows[1].bytes_sent, 1000);
	clear_job(&job);
}
END_TEST

START_TEST(polling_in_mpi_is_not_useful)
{
	struct job job = read_job(orders[1]);
	const struct mpi_rank *ranks = job.mpi.ranks.rows;

	ck_assert_uint_eq(job.mpi.ranks.count, 2);
	ck_assert_uint_eq(ranks[1].rank, 1);
	ck_assert_uint_eq(ranks[1].mpi_ns, 510 * MS);
	/* on a processor for the whole second, 10 ms and 510 ms of it in MPI */
	ck_assert_double_eq_tol(ranks[0].useful_ns, 990.0 * MS, 1);
	ck_assert_double_eq_tol(ranks[1].useful_ns, 490.0 * MS, 1);
	ck_assert_double_eq_tol(job.mpi.efficiency.parallel, 0.74, 1e-9);
	ck_assert_double_eq_tol(job.mpi.efficiency.communication, 0.99, 1e-9);
	clear_job(&job);
}
END_TEST

/* Rank 1 is killed in MPI_Recv: that is no object to wait for, however long it waited. */
START_TEST(a_call_under_way_is_no_synchronization)
{
	struct scene_run scene;

	rank_to_tell = 1;
	const struct run *run = scene_run_told(&scene, tell_rank, false);

	ck_assert_uint_gt(run->processes[0].threads[0].open_wait_ns, 0);
	ck_assert_uint_eq(run->synchronization.count, 0);
	scene_run_clear(&scene);
}
END_TEST

static uint64_t sampled_ns, samples;

static void tell_sampled_rank(struct builder *builder)
{
	rank_to_tell = 1;
	tell_rank(builder);
	const struct row_samples row = {
		.callpath = builder_callpath(builder, 0, 1, 0x2000 + 7),
		.level = 1,
		.cpu_ns = sampled_ns,
		.count = samples,
	};

	builder_add(builder, TABLE_samples, 1, &row);
}

static enum grade grade_of_useful(uint64_t cpu_ns, uint64_t count)
{
	struct scene_run scene;

	sampled_ns = cpu_ns;
	samples = count;
	const struct run *run = scene_run_told(&scene, tell_sampled_rank, false);
	enum grade grade = run->mpi.ranks.rows[0].useful_grade;

	ck_assert_double_eq_tol(run->mpi.ranks.rows[0].useful_ns, 490.0 * MS, 1);
	ck_assert_int_eq(run->mpi.efficiency.grade, grade);
	scene_run_clear(&scene);
	return grade;
}

/* 490 ms were in no wait. 600 ms of 150 samples are known to 8 %, 750 of 170 as well. */
START_TEST(useful_time_that_samples_contradict_is_an_estimate)
{
	ck_assert_int_eq(grade_of_useful(600 * MS, 150), GRADE_EXACT);
	ck_assert_int_eq(grade_of_useful(750 * MS, 170), GRADE_ESTIMATED);
}
END_TEST

UNIT_MAIN("mpi_model", calls_of_all_ranks_are_added_up, a_place_lies_outside_the_library,
	  pairs_are_seen_from_both_sides, polling_in_mpi_is_not_useful,
	  a_call_under_way_is_no_synchronization,
	  useful_time_that_samples_contradict_is_an_estimate)
