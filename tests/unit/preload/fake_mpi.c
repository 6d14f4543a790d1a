/* SPDX-License-Identifier: MIT */
#include "fake_mpi.h"

#include "preload/mpi/mpi_process.h"

#include <stdio.h>
#include <stdlib.h>

enum { COMMS = 64, GROUP = 1000, REMOTE_GROUP = 2000 };

unsigned fake_mpi_sizes_asked;

static struct fake_comm comms[COMMS];
static const struct mpi_abi mpich = {
	.kind = MPI_ABI_MPICH,
	.in_place = (mpi_word)-1,
	.status_ignore = 1,
	.statuses_ignore = 1,
	.proc_null = -1,
	.any_source = -2,
	.root = -3,
	.handle_bytes = 4,
	.status_bytes = 20,
	.source_at = 8,
	.error_at = 16,
	.error_in_status = 17,
	.level_unit = 1,
	.comm_world = FAKE_WORLD,
	.comm_self = FAKE_SELF,
	.comm_null = FAKE_NULL,
};

static struct fake_comm *comm_at(mpi_word handle)
{
	for (int i = 0; handle && i < COMMS; i++)
		if (comms[i].handle == handle)
			return &comms[i];
	fprintf(stderr, "MPI was asked about a communicator that is not there: %#lx\n", handle);
	abort();
}

static int comm_size(mpi_word handle, int32_t *size)
{
	*size = comm_at(handle)->size;
	return 0;
}

static int comm_rank(mpi_word handle, int32_t *rank)
{
	*rank = comm_at(handle)->rank;
	return 0;
}

static int comm_test_inter(mpi_word handle, int32_t *flag)
{
	*flag = comm_at(handle)->remote_size > 0;
	return 0;
}

static int comm_remote_size(mpi_word handle, int32_t *size)
{
	*size = comm_at(handle)->remote_size;
	return 0;
}

static int comm_group(mpi_word handle, mpi_word *group)
{
	*group = GROUP + (mpi_word)(comm_at(handle) - comms);
	return 0;
}

static int comm_remote_group(mpi_word handle, mpi_word *group)
{
	*group = REMOTE_GROUP + (mpi_word)(comm_at(handle) - comms);
	return 0;
}

static int group_free(mpi_word *group)
{
	*group = 0;
	return 0;
}

/* Only into the group of the world, whose ranks are their own numbers. */
static int group_translate_ranks(mpi_word group, int32_t count, const int32_t *ranks,
				 mpi_word world, int32_t *there)
{
	const struct fake_comm *comm = &comms[group % GROUP];

	if (world != GROUP)
		return 1;
	for (int32_t i = 0; i < count; i++)
		there[i] = (group < REMOTE_GROUP ? comm->ranks : comm->remote)[ranks[i]];
	return 0;
}

static int type_size(mpi_word type, int32_t *size)
{
	if (type == FAKE_NO_TYPE) {
		fprintf(stderr, "MPI was asked about the null type\n");
		abort();
	}
	fake_mpi_sizes_asked++;
	*size = (int32_t)type;
	return 0;
}

static int type_extent(mpi_word type, int64_t *begin, int64_t *bytes)
{
	*begin = 0;
	*bytes = type == FAKE_COLUMN ? 3 * FAKE_COLUMN : type == FAKE_QUARTER ? 8 : (int64_t)type;
	return 0;
}

static int error_class(int code, int32_t *class)
{
	*class = code;
	return 0;
}

static const struct {
	enum mpi_call_number number;
	void *function;
} functions[] = {
	{MPI_CALL_Comm_size, comm_size},
	{MPI_CALL_Comm_rank, comm_rank},
	{MPI_CALL_Comm_test_inter, comm_test_inter},
	{MPI_CALL_Comm_remote_size, comm_remote_size},
	{MPI_CALL_Comm_group, comm_group},
	{MPI_CALL_Comm_remote_group, comm_remote_group},
	{MPI_CALL_Group_free, group_free},
	{MPI_CALL_Group_translate_ranks, group_translate_ranks},
	{MPI_CALL_Type_size, type_size},
	{MPI_CALL_Type_get_extent, type_extent},
	{MPI_CALL_Type_get_true_extent, type_extent},
	{MPI_CALL_Error_class, error_class},
};

void fake_mpi_start(int32_t size, int32_t rank)
{
	struct fake_comm world = {.handle = FAKE_WORLD, .size = size, .rank = rank};
	struct fake_comm self = {.handle = FAKE_SELF, .size = 1, .ranks = {rank}};

	for (int32_t i = 0; i < size; i++)
		world.ranks[i] = i;
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		mpi_next[ENTRY_PMPI][functions[i].number] = functions[i].function;
	mpi_real_state = 1;
	mpi_abi = &mpich;
	mpi_process_is_live = true;
	fake_mpi_make(&world);
	fake_mpi_make(&self);
}

void fake_mpi_make(const struct fake_comm *comm)
{
	for (int i = 0; i < COMMS; i++)
		if (!comms[i].handle) {
			comms[i] = *comm;
			return;
		}
	abort();
}

void fake_mpi_free(mpi_word handle)
{
	comm_at(handle)->handle = 0;
}
