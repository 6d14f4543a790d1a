/* SPDX-License-Identifier: MIT */
/* Scenes with the tables of MPI: a rank, and one whose numbers no MPI would give. */
#include "tests/programs/profile_scenes.h"

enum { RANKS = 2, STRANGE = 0xffffffffu };

static uint32_t add_main_thread(struct builder *builder, uint32_t path)
{
	struct row_modules module = {.start = 0x400000,
				     .end = 0x500000,
				     .path = builder_text(builder, "/nowhere/program")};
	struct row_process process = {.pid = builder->header.pid,
				      .command = builder_text(builder, "./rank"),
				      .host = builder_text(builder, SCENE_HOST),
				      .processors = 2,
				      .threads_peak = 1,
				      .threads_started = 1};
	struct row_threads thread = {.tid = 7,
				     .lives = 1,
				     .birth_ns = SCENE_START,
				     .updated_ns = SCENE_START + SCENE_SECOND,
				     .user_ns = SCENE_SECOND / 2,
				     .waiting_path = path};

	builder->header.state = FORMAT_STATE_EXITED;
	builder->header.start_ns = SCENE_START;
	builder->header.start_realtime_ns = 1700000000 * SCENE_SECOND;
	builder->header.end_ns = builder->header.heartbeat_ns = SCENE_START + SCENE_SECOND;
	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	builder_add(builder, TABLE_process, FORMAT_NO_OWNER, &process);
	return builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread);
}

static void add_rank(struct builder *builder, uint32_t rank, uint32_t size)
{
	struct row_mpi_process row = {.size = size,
				      .rank = rank,
				      .library = builder_text(builder, "Any MPI v1"),
				      .version = 301,
				      .init_begin_ns = SCENE_START,
				      .init_end_ns = SCENE_START + 1000,
				      .init_realtime_ns = 1700000000 * SCENE_SECOND + 1000};

	builder_add(builder, TABLE_mpi_process, FORMAT_NO_OWNER, &row);
}

static void add_calls(struct builder *builder, uint32_t thread, uint32_t path, uint32_t peer)
{
	struct row_mpi_names name = {.name = builder_text(builder, "MPI_Send")};
	struct row_mpi_calls call = {.callpath = path, .count = 3, .sum_ns = 3000, .max_ns = 2000};
	struct row_mpi_peers pair = {.peer = peer, .messages_sent = 3, .bytes_sent = 24};

	call.call = (uint16_t)builder_add(builder, TABLE_mpi_names, FORMAT_NO_OWNER, &name);
	builder_add(builder, TABLE_mpi_calls, thread, &call);
	builder_add(builder, TABLE_mpi_peers, thread, &pair);
}

static void add_collective(struct builder *builder, struct row_mpi_communicators communicator,
			   uint64_t sequence, uint64_t enter_ns)
{
	struct row_mpi_names name = {.name = builder_text(builder, "MPI_Barrier")};
	struct row_mpi_collectives row = {
		.call = (uint16_t)builder_add(builder, TABLE_mpi_names, FORMAT_NO_OWNER, &name),
		.communicator = builder_add(builder, TABLE_mpi_communicators, FORMAT_NO_OWNER,
					    &communicator),
		.sequence = sequence,
		.enter_ns = enter_ns,
		.leave_ns = enter_ns + 500};

	builder_add(builder, TABLE_mpi_collectives, FORMAT_NO_OWNER, &row);
}

static void add_bin(struct builder *builder, uint32_t metric, uint32_t shift, uint64_t bin)
{
	struct row_timeline row = {metric, shift, bin, 1000000};

	builder_add(builder, TABLE_timeline, FORMAT_NO_OWNER, &row);
}

void scene_tell_rank(struct builder *builder)
{
	struct row_mpi_communicators world = {
		.identity = 1, .size = RANKS, .stride = 1, .collectives = 1};
	uint32_t path = builder_callpath(builder, 0, 1, 0x1000);
	uint32_t thread = add_main_thread(builder, path);

	add_rank(builder, 1, RANKS);
	add_calls(builder, thread, path, 1);
	add_collective(builder, world, 0, SCENE_START + 5000);
	add_bin(builder, TIMELINE_USEFUL, 24, SCENE_START >> 24);
	add_bin(builder, TIMELINE_ON_PROCESSOR, 24, SCENE_START >> 24);
}

void scene_tell_strange_rank(struct builder *builder)
{
	struct row_mpi_communicators strange = {.identity = UINT64_MAX,
						.size = STRANGE,
						.stride = 0,
						.collectives = UINT64_MAX,
						.leader = STRANGE};
	uint32_t path = builder_callpath(builder, 0, 1, 0x1000);
	uint32_t thread = add_main_thread(builder, path);

	add_rank(builder, STRANGE, 1);
	add_calls(builder, thread, path, STRANGE - 1);
	add_collective(builder, strange, UINT64_MAX, UINT64_MAX - 1);
	add_bin(builder, TIMELINE_USEFUL, 63, UINT64_MAX);
	add_bin(builder, TIMELINE_ON_PROCESSOR, 0, UINT64_MAX);
	add_bin(builder, TIMELINE_ON_PROCESSOR, 0, 0);
}
