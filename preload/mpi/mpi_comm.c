/* SPDX-License-Identifier: MIT */
#include "mpi_comm.h"

#include "callpath.h"
#include "pages.h"
#include "rows.h"

enum {
	WAYS = 8,
	BUCKETS = MPI_COMMS / WAYS,
	WINDOWS = 64,
	ROWS_MOST = 1024,
	IDENTITY_WORLD = 1,
	IDENTITY_SELF = 2,
};

static struct mpi_comm comms[BUCKETS][WAYS];
static struct {
	mpi_word window, comm;
} windows[WINDOWS];

static struct series rows = {
	.table = TABLE_mpi_communicators,
	.row_bytes = sizeof(struct row_mpi_communicators),
	.rows_per_block = 16,
	.limit = ROWS_MOST,
	.next = 1,
};

uint32_t mpi_comm_generation;

static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 31) * 0x9e3779b97f4a7c15u;
	return value ^ value >> 29;
}

static struct mpi_comm *bucket_of(mpi_word handle)
{
	return comms[mix(handle) % BUCKETS];
}

static struct mpi_comm *known(mpi_word handle)
{
	struct mpi_comm *bucket = bucket_of(handle);

	for (int i = 0; i < WAYS; i++)
		if (__atomic_load_n(&bucket[i].handle, __ATOMIC_ACQUIRE) == handle)
			return &bucket[i];
	return NULL;
}

/* ---- ranks of the job ---- */

/* Asks the library for all of them at once. */
static bool translate(mpi_word group, int32_t count, const int32_t *ranks, int32_t *world)
{
	mpi_word world_group = 0;

	if (MPI_ASK(Comm_group, mpi_abi->comm_world, &world_group))
		return false;
	int result = MPI_ASK(Group_translate_ranks, group, count, ranks, world_group, world);
	MPI_ASK(Group_free, &world_group);
	return !result;
}

static bool group_of(const struct mpi_comm *comm, mpi_word *group)
{
	*group = 0;
	return !(comm->is_inter ? MPI_ASK(Comm_remote_group, comm->handle, group)
				: MPI_ASK(Comm_group, comm->handle, group));
}

/* Kept for the life of the communicator; 4 bytes a rank. */
static int32_t *ask_world(struct mpi_comm *comm)
{
	size_t bytes = (size_t)comm->peers * sizeof(int32_t) * 2, half = bytes / 2;
	mpi_word group;
	int32_t *seen = NULL;
	int32_t *world = pages_new(bytes);

	if (!world)
		return NULL;
	int32_t *ranks = (int32_t *)((char *)world + half);
	for (int32_t i = 0; i < comm->peers; i++) {
		world[i] = -1;
		ranks[i] = i;
	}
	if (group_of(comm, &group)) {
		translate(group, comm->peers, ranks, world);
		MPI_ASK(Group_free, &group);
	}
	if (__atomic_compare_exchange_n(&comm->world, &seen, world, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return world;
	pages_free(world, bytes);
	return seen;
}

int32_t mpi_comm_world_rank(struct mpi_comm *comm, int32_t rank)
{
	if (!comm || rank < 0 || rank >= comm->peers)
		return -1;
	if (comm->is_world)
		return rank;
	int32_t *world = __atomic_load_n(&comm->world, __ATOMIC_ACQUIRE);
	if (!world)
		world = ask_world(comm);
	return world && world[rank] >= 0 ? world[rank] : -1;
}

/* Rank in the job of its rank 0: with the size, what members of one communicator agree on. */
static uint32_t leader_of(const struct mpi_comm *comm)
{
	int32_t first = 0, leader = -1, remote = -1;
	mpi_word group = 0;

	if (comm->is_world)
		return 0;
	if (!MPI_ASK(Comm_group, comm->handle, &group)) {
		translate(group, 1, &first, &leader);
		MPI_ASK(Group_free, &group);
	}
	if (comm->is_inter && group_of(comm, &group)) {
		translate(group, 1, &first, &remote);
		MPI_ASK(Group_free, &group);
		leader = leader < remote ? leader : remote;
	}
	return (uint32_t)leader;
}

/* ---- making ---- */

static void describe(struct mpi_comm *comm, mpi_word handle)
{
	int32_t is_inter = 0;

	comm->handle = handle;
	comm->size = 1;
	comm->rank = 0;
	MPI_ASK(Comm_size, handle, &comm->size);
	MPI_ASK(Comm_rank, handle, &comm->rank);
	MPI_ASK(Comm_test_inter, handle, &is_inter);
	comm->is_inter = is_inter != 0;
	comm->is_world = handle == mpi_abi->comm_world;
	comm->peers = comm->size;
	if (comm->is_inter)
		MPI_ASK(Comm_remote_size, handle, &comm->peers);
	comm->in_degree = comm->out_degree = -1;
}

static void add_row(struct mpi_comm *comm, uint64_t identity, uint32_t leader, uint64_t place)
{
	comm->row = series_add(&rows, &comm->number);
	if (!comm->row)
		return;
	comm->row->size = (uint32_t)(comm->is_inter ? comm->size + comm->peers : comm->size);
	comm->row->stride = 1;
	comm->row->leader = leader;
	comm->row->birth = callpath_place(place);
	struct format_block *block =
		store_block(TABLE_mpi_collectives, sizeof(struct row_mpi_collectives),
			    FORMAT_NO_OWNER, 0, MPI_COMM_RECORDS);
	comm->records = block ? store_rows(block) : NULL;
	__atomic_store_n(&comm->row->identity, identity, __ATOMIC_RELEASE);
}

static uint64_t identity_of(const struct mpi_comm *comm, const struct mpi_comm *parent,
			    uint64_t order, uint32_t leader)
{
	if (comm->is_world)
		return IDENTITY_WORLD;
	if (comm->handle == mpi_abi->comm_self)
		return IDENTITY_SELF;
	uint64_t from = parent && parent->row ? parent->row->identity : 0;
	uint64_t identity = mix(mix(mix(from) + order) + ((uint64_t)leader << 32) +
				(uint32_t)comm->size + (uint32_t)comm->peers);
	return identity > IDENTITY_SELF ? identity : IDENTITY_SELF + 1;
}

/* Two threads may meet a new handle at once: the first to claim a way describes it. */
static struct mpi_comm *add(mpi_word handle, const struct mpi_comm *parent, uint64_t order,
			    uint64_t place)
{
	static int adding;
	struct mpi_comm *bucket = bucket_of(handle), *comm = NULL;

	if (__atomic_exchange_n(&adding, 1, __ATOMIC_ACQUIRE))
		return NULL; /* this call goes without */
	for (int i = 0; i < WAYS && !comm; i++)
		if (!__atomic_load_n(&bucket[i].handle, __ATOMIC_RELAXED))
			comm = &bucket[i];
	if (comm && !known(handle)) {
		struct mpi_comm made = {0};
		describe(&made, handle);
		uint32_t leader = leader_of(&made);
		add_row(&made, identity_of(&made, parent, order, leader), leader, place);
		made.handle = 0;
		*comm = made;
		__atomic_store_n(&comm->handle, handle, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&adding, 0, __ATOMIC_RELEASE);
	return known(handle);
}

static bool is_null(mpi_word handle)
{
	return !handle || handle == mpi_abi->comm_null;
}

struct mpi_comm *mpi_comm_find(mpi_word handle, uint64_t place)
{
	struct mpi_comm *comm = known(handle);

	if (comm || is_null(handle))
		return comm;
	return add(handle, NULL, 0, place);
}

void mpi_comm_made(struct mpi_comm *parent, mpi_word handle, uint64_t place)
{
	uint64_t order = parent ? __atomic_add_fetch(&parent->made, 1, __ATOMIC_RELAXED) : 0;

	if (!is_null(handle) && !known(handle))
		add(handle, parent, order, place);
}

void mpi_comm_freed(mpi_word handle)
{
	struct mpi_comm *comm = known(handle);

	if (!comm)
		return;
	if (comm->world)
		pages_free(comm->world, (size_t)comm->peers * sizeof(int32_t) * 2);
	comm->world = NULL;
	__atomic_fetch_add(&mpi_comm_generation, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&comm->handle, 0, __ATOMIC_RELEASE);
}

void mpi_comm_degrees(struct mpi_comm *comm)
{
	int32_t kind = -1, count = 0, out = 0, weighted = 0;

	comm->in_degree = comm->out_degree = 0;
	if (MPI_ASK(Topo_test, comm->handle, &kind) || kind < 0)
		return;
	if (kind == mpi_abi->cart) {
		MPI_ASK(Cartdim_get, comm->handle, &count);
		out = count = 2 * count;
	} else if (kind == mpi_abi->graph) {
		MPI_ASK(Graph_neighbors_count, comm->handle, comm->rank, &count);
		out = count;
	} else {
		MPI_ASK(Dist_graph_neighbors_count, comm->handle, &count, &out, &weighted);
	}
	comm->in_degree = count;
	comm->out_degree = out;
}

/* ---- windows ---- */

void mpi_window_made(mpi_word window, mpi_word comm)
{
	for (int i = 0; i < WINDOWS; i++)
		if (!windows[i].window) {
			windows[i].comm = comm;
			__atomic_store_n(&windows[i].window, window, __ATOMIC_RELEASE);
			return;
		}
}

void mpi_window_freed(mpi_word window)
{
	for (int i = 0; i < WINDOWS; i++)
		if (windows[i].window == window)
			__atomic_store_n(&windows[i].window, 0, __ATOMIC_RELEASE);
}

mpi_word mpi_window_comm(mpi_word window)
{
	for (int i = 0; i < WINDOWS; i++)
		if (__atomic_load_n(&windows[i].window, __ATOMIC_ACQUIRE) == window)
			return windows[i].comm;
	return 0;
}

void mpi_comm_reset(void)
{
	for (int i = 0; i < BUCKETS; i++)
		for (int j = 0; j < WAYS; j++)
			comms[i][j].handle = 0;
	series_reset(&rows);
}
