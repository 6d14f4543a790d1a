/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_comm.h"

#include "preload/base/pages.h"
#include "preload/stacks/callpath.h"

#include <stddef.h>
#include <string.h>

static struct mpi_handles comms = {.entry_bytes = sizeof(struct mpi_comm)};

uint32_t mpi_comm_generation;

static bool is_null(mpi_word handle)
{
	return handle <= MPI_HANDLE_CLAIMED || handle == mpi_abi->comm_null;
}

static struct mpi_comm *known(mpi_word handle)
{
	return (struct mpi_comm *)mpi_handles_find(&comms, handle);
}

/* ---- ranks of the job ---- */

static bool group_of(const struct mpi_comm *comm, mpi_word *group)
{
	*group = 0;
	return !(comm->is_inter ? MPI_ASK(Comm_remote_group, comm->known.handle, group)
				: MPI_ASK(Comm_group, comm->known.handle, group));
}

/* Memory for `world`, with its size. */
struct room {
	size_t bytes;
	int32_t ranks[];
};

static struct room *room_of(int32_t *world)
{
	return world ? (struct room *)((char *)world - offsetof(struct room, ranks)) : NULL;
}

/* Never unmapped, because another thread may still be looking up a rank of a freed communicator:
 * the next one in the same entry reuses it, or gets memory of at least twice the size. */
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

/* 8 bytes for each rank, half of them for the question. */
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
		mpi_identity_translate(group, comm->peers, ranks, world);
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
	/* asking about a freed handle would end the job */
	if (!world && __atomic_load_n(&comm->known.handle, __ATOMIC_ACQUIRE) > MPI_HANDLE_CLAIMED)
		world = ask_world(comm);
	return world && world[rank] >= 0 ? world[rank] : -1;
}

/* Rank in the job of its rank 0: all members of a communicator know it, and the size. */
static uint32_t leader_of(const struct mpi_comm *comm)
{
	int32_t first = 0, leader = -1, remote = -1;
	mpi_word group = 0;

	if (comm->is_world)
		return 0;
	if (!MPI_ASK(Comm_group, comm->known.handle, &group)) {
		mpi_identity_translate(group, 1, &first, &leader);
		MPI_ASK(Group_free, &group);
	}
	if (comm->is_inter && group_of(comm, &group)) {
		mpi_identity_translate(group, 1, &first, &remote);
		MPI_ASK(Group_free, &group);
		leader = leader < remote ? leader : remote;
	}
	return (uint32_t)leader;
}

/* ---- making ---- */

static void describe(struct mpi_comm *comm, mpi_word handle)
{
	int32_t is_inter = 0;

	comm->known.handle = handle;
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

/* A number for the ranks of the communicator. Of two groups, the order is not known to both
 * sides. */
static uint64_t members_of(const struct mpi_comm *comm)
{
	mpi_word group = 0;
	uint64_t own = 0, other = 0;

	if (!MPI_ASK(Comm_group, comm->known.handle, &group)) {
		own = mpi_identity_members(group, comm->size);
		MPI_ASK(Group_free, &group);
	}
	if (!comm->is_inter)
		return own;
	if (group_of(comm, &group)) {
		other = mpi_identity_members(group, comm->peers);
		MPI_ASK(Group_free, &group);
	}
	if (!own || !other)
		return 0;
	return own < other ? mpi_identity_mix(own) + other : mpi_identity_mix(other) + own;
}

/* The identity, made of what all members know of its origin. */
static uint64_t identity_of(const struct mpi_comm *comm, const struct mpi_descent *descent,
			    uint32_t leader)
{
	uint64_t from = descent->parent, order = descent->order;

	if (comm->is_world)
		return MPI_IDENTITY_WORLD;
	if (comm->known.handle == mpi_abi->comm_self)
		return MPI_IDENTITY_SELF;
	if (descent->is_by_members) {
		from = members_of(comm);
		order = from ? mpi_identity_count(mpi_identity_mix(from + descent->tag)) : 0;
		from = mpi_identity_mix(from + descent->tag);
	}
	return from && order ? mpi_identity_of(from, order, leader,
					       (uint32_t)comm->size + (uint32_t)comm->peers)
			     : MPI_IDENTITY_NONE;
}

static void add_family(struct mpi_comm *comm, uint32_t leader, uint64_t place)
{
	struct mpi_origin origin = {
		.birth = callpath_place(place),
		.size = (uint32_t)(comm->is_inter ? comm->size + comm->peers : comm->size),
		.leader = leader,
		.rank = comm->is_inter ? 0 : (uint32_t)comm->rank + 1,
	};

	comm->family = mpi_family_of(&origin, comm->identity ? comm->identity : UINT64_MAX);
	comm->number = comm->family ? comm->family->number : 0;
	comm->row = comm->family ? comm->family->row : NULL;
	comm->phase = mpi_identity_phase(comm->identity);
}

/* If two threads use a new handle at once, it has two entries, of one family. */
static struct mpi_comm *add(mpi_word handle, const struct mpi_descent *descent, uint64_t place)
{
	struct mpi_comm *comm = (struct mpi_comm *)mpi_handles_claim(&comms, handle);
	struct mpi_comm made = {0};

	if (!comm)
		return NULL;
	describe(&made, handle);
	uint32_t leader = leader_of(&made);
	made.identity = identity_of(&made, descent, leader);
	add_family(&made, leader, place);
	made.spare = __atomic_load_n(&comm->world, __ATOMIC_ACQUIRE);
	if (!made.spare)
		made.spare = __atomic_load_n(&comm->spare, __ATOMIC_ACQUIRE);
	/* except for what other threads may be reading */
	memcpy((char *)comm + sizeof comm->known, (char *)&made + sizeof made.known,
	       sizeof made - sizeof made.known);
	__atomic_store_n(&comm->known.handle, handle, __ATOMIC_RELEASE);
	return comm;
}

struct mpi_comm *mpi_comm_find(mpi_word handle, uint64_t place)
{
	static const struct mpi_descent unknown;

	if (is_null(handle))
		return NULL;
	struct mpi_comm *comm = known(handle);
	return comm ? comm : add(handle, &unknown, place);
}

struct mpi_descent mpi_comm_descent(struct mpi_comm *parent)
{
	return (struct mpi_descent){
		.parent = parent ? parent->identity : MPI_IDENTITY_NONE,
		.order = parent ? __atomic_add_fetch(&parent->made, 1, __ATOMIC_RELAXED) : 0,
	};
}

void mpi_comm_made(const struct mpi_descent *descent, mpi_word handle, uint64_t place)
{
	if (is_null(handle))
		return;
	mpi_comm_freed(handle); /* if freed without our knowledge */
	add(handle, descent, place);
}

void mpi_comm_freed(mpi_word handle)
{
	struct mpi_comm *comm;

	if (is_null(handle))
		return;
	while ((comm = known(handle))) {
		__atomic_fetch_add(&mpi_comm_generation, 1, __ATOMIC_RELEASE);
		bool is_kept = __atomic_load_n(&comm->holds, __ATOMIC_ACQUIRE) > 0;
		__atomic_store_n(&comm->known.handle, is_kept ? MPI_HANDLE_KEPT : MPI_HANDLE_FREE,
				 __ATOMIC_RELEASE);
	}
}

/* MPI_COMM_WORLD is never freed, and many threads use it at once. */
void mpi_comm_hold(struct mpi_comm *comm)
{
	if (!comm || comm->is_world)
		return;
	__atomic_add_fetch(&comm->holds, 1, __ATOMIC_RELAXED);
	mpi_comm_world_rank(comm, 0); /* when it has been freed, it cannot be asked */
}

void mpi_comm_release(struct mpi_comm *comm)
{
	mpi_word kept = MPI_HANDLE_KEPT;

	if (comm && !comm->is_world && !__atomic_sub_fetch(&comm->holds, 1, __ATOMIC_ACQ_REL))
		__atomic_compare_exchange_n(&comm->known.handle, &kept, MPI_HANDLE_FREE, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* Only grids have neighbours that are none, at the ends of dimensions that are not periodic: the
 * lower one of a dimension has its place before the higher one. */
static uint64_t absent_in_grid(const struct mpi_comm *comm, int32_t dimensions)
{
	uint64_t absent = 0;

	for (int32_t i = 0; i < dimensions && i < 32; i++) {
		int32_t lower = 0, higher = 0;
		if (MPI_ASK(Cart_shift, comm->known.handle, i, 1, &lower, &higher))
			continue;
		absent |= (uint64_t)(lower == mpi_abi->proc_null) << 2 * i;
		absent |= (uint64_t)(higher == mpi_abi->proc_null) << (2 * i + 1);
	}
	return absent;
}

void mpi_comm_degrees(struct mpi_comm *comm)
{
	int32_t kind = -1, count = 0, out = 0, weighted = 0;

	comm->in_degree = comm->out_degree = 0;
	if (MPI_ASK(Topo_test, comm->known.handle, &kind) || kind < 0)
		return;
	if (kind == mpi_abi->cart) {
		MPI_ASK(Cartdim_get, comm->known.handle, &count);
		comm->absent = absent_in_grid(comm, count);
		out = count = 2 * count;
	} else if (kind == mpi_abi->graph) {
		MPI_ASK(Graph_neighbors_count, comm->known.handle, comm->rank, &count);
		out = count;
	} else {
		MPI_ASK(Dist_graph_neighbors_count, comm->known.handle, &count, &out, &weighted);
	}
	comm->in_degree = count;
	comm->out_degree = out;
}

void mpi_comm_reset(void)
{
	mpi_handles_reset(&comms);
	mpi_family_reset();
	mpi_identity_reset();
}
