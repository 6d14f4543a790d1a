/* SPDX-License-Identifier: MIT */
#include "mpi_comm.h"

#include "callpath.h"
#include "pages.h"
#include "rows.h"

#include <stddef.h>
#include <string.h>

enum {
	WAYS = 8,
	BUCKETS = MPI_COMMS / WAYS,
	WINDOWS = 64,
	ROWS_MOST = 1024,
	IDENTITY_WORLD = 1,
	IDENTITY_SELF = 2,
	KEPT = 1, /* in the place of the handle: freed, but somebody holds it */
};

static struct mpi_comm comms[BUCKETS][WAYS];
static struct {
	mpi_word window; /* atomic; 0: free */
	struct mpi_comm *comm;
} windows[WINDOWS];

static struct series rows = {
	.table = TABLE_mpi_communicators,
	.row_bytes = sizeof(struct row_mpi_communicators),
	.rows_per_block = 16,
	.limit = ROWS_MOST,
	.next = 1,
};

uint32_t mpi_comm_generation;
static int adding; /* atomic: a thread describes a new communicator */

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

/* Memory for `world`; its size stands in it, so that whoever takes it knows. */
struct room {
	size_t bytes;
	int32_t ranks[];
};

static struct room *room_of(int32_t *world)
{
	return world ? (struct room *)((char *)world - offsetof(struct room, ranks)) : NULL;
}

/* Never unmapped, because another thread may still be looking up a rank of a communicator that is
 * freed: the next one in the same place takes it, or memory of at least twice the size. */
static int32_t *room_for(struct mpi_comm *comm, size_t bytes)
{
	struct room *spare = room_of(__atomic_exchange_n(&comm->spare, NULL, __ATOMIC_ACQ_REL));
	size_t wanted = sizeof *spare + bytes;

	if (spare && spare->bytes >= wanted)
		return spare->ranks;
	if (spare && spare->bytes * 2 > wanted)
		wanted = spare->bytes * 2;
	spare = pages_new(wanted);
	if (!spare)
		return NULL;
	spare->bytes = wanted;
	return spare->ranks;
}

/* 8 bytes a rank, half of them for asking. */
static int32_t *ask_world(struct mpi_comm *comm)
{
	size_t bytes = (size_t)comm->peers * sizeof(int32_t) * 2;
	mpi_word group;
	int32_t *seen = NULL, *world = room_for(comm, bytes);

	if (!world)
		return NULL;
	int32_t *ranks = world + comm->peers;
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
	__atomic_store_n(&comm->spare, world, __ATOMIC_RELEASE);
	return seen;
}

int32_t mpi_comm_world_rank(struct mpi_comm *comm, int32_t rank)
{
	if (!comm || rank < 0 || rank >= comm->peers)
		return -1;
	if (comm->is_world)
		return rank;
	int32_t *world = __atomic_load_n(&comm->world, __ATOMIC_ACQUIRE);
	/* a handle that was freed must not be asked about: that ends the job */
	if (!world && __atomic_load_n(&comm->handle, __ATOMIC_ACQUIRE) > KEPT)
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
	comm->row->rank = comm->is_inter ? 0 : (uint32_t)comm->rank + 1;
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
		made.spare = comm->world ? comm->world : comm->spare;
		/* all but the handle, which other threads are reading */
		memcpy((char *)comm + sizeof comm->handle, (char *)&made + sizeof made.handle,
		       sizeof made - sizeof made.handle);
		__atomic_store_n(&comm->handle, handle, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&adding, 0, __ATOMIC_RELEASE);
	return known(handle);
}

static bool is_null(mpi_word handle)
{
	return handle <= KEPT || handle == mpi_abi->comm_null;
}

struct mpi_comm *mpi_comm_find(mpi_word handle, uint64_t place)
{
	if (is_null(handle))
		return NULL;
	struct mpi_comm *comm = known(handle);
	return comm ? comm : add(handle, NULL, 0, place);
}

uint64_t mpi_comm_order(struct mpi_comm *parent)
{
	return parent ? __atomic_add_fetch(&parent->made, 1, __ATOMIC_RELAXED) : 0;
}

void mpi_comm_made(struct mpi_comm *parent, uint64_t order, mpi_word handle, uint64_t place)
{
	if (!is_null(handle) && !known(handle))
		add(handle, parent, order, place);
}

void mpi_comm_freed(mpi_word handle)
{
	struct mpi_comm *comm = is_null(handle) ? NULL : known(handle);

	if (!comm)
		return;
	__atomic_fetch_add(&mpi_comm_generation, 1, __ATOMIC_RELEASE);
	bool is_kept = __atomic_load_n(&comm->holds, __ATOMIC_ACQUIRE) > 0;
	__atomic_store_n(&comm->handle, is_kept ? KEPT : 0, __ATOMIC_RELEASE);
}

/* MPI_COMM_WORLD is never freed, and is what many threads use at once. */
void mpi_comm_hold(struct mpi_comm *comm)
{
	if (!comm || comm->is_world)
		return;
	__atomic_add_fetch(&comm->holds, 1, __ATOMIC_RELAXED);
	mpi_comm_world_rank(comm, 0); /* later it may be too late to ask */
}

void mpi_comm_release(struct mpi_comm *comm)
{
	uint64_t kept = KEPT;

	if (comm && !comm->is_world && !__atomic_sub_fetch(&comm->holds, 1, __ATOMIC_ACQ_REL))
		__atomic_compare_exchange_n(&comm->handle, &kept, 0, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED);
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

void mpi_window_made(mpi_word window, struct mpi_comm *comm)
{
	for (int i = 0; comm && i < WINDOWS; i++)
		if (!windows[i].window) {
			mpi_comm_hold(comm);
			windows[i].comm = comm;
			__atomic_store_n(&windows[i].window, window, __ATOMIC_RELEASE);
			return;
		}
}

void mpi_window_freed(mpi_word window)
{
	for (int i = 0; i < WINDOWS; i++)
		if (windows[i].window == window) {
			mpi_comm_release(windows[i].comm);
			__atomic_store_n(&windows[i].window, 0, __ATOMIC_RELEASE);
		}
}

struct mpi_comm *mpi_window_comm(mpi_word window)
{
	for (int i = 0; i < WINDOWS; i++)
		if (__atomic_load_n(&windows[i].window, __ATOMIC_ACQUIRE) == window)
			return windows[i].comm;
	return NULL;
}

void mpi_comm_reset(void)
{
	for (int i = 0; i < BUCKETS; i++)
		for (int j = 0; j < WAYS; j++)
			comms[i][j].handle = 0;
	for (int i = 0; i < WINDOWS; i++)
		windows[i].window = 0;
	adding = 0; /* a thread that the child does not have may have been at it */
	series_reset(&rows);
}
