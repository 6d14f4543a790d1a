/* SPDX-License-Identifier: MIT */
/* Arrays of counts, each exactly as long as the standard says and at the end of a page, after which
 * nothing is mapped: collectives between two groups of different sizes, where most arrays have an
 * entry for each rank of the other group but those of MPI_Reduce_scatter for each of their own, and
 * among neighbours, where the numbers of sources and destinations differ. */
#include "mpi_truth.h"

#include <sys/mman.h>

enum { PAGE = 4096, VECTOR = 12, ROOM = 64 };

static int out[ROOM], in[ROOM], offsets[ROOM];
static MPI_Aint bytes_at[ROOM];
static MPI_Request request;

#define WAIT CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE)

/* The last `bytes` of a page of its own. */
static void *at_the_edge(size_t bytes)
{
	char *pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || munmap(pages + PAGE, PAGE))
		abort();
	return pages + PAGE - bytes;
}

static int *counts_of(int entries, int each)
{
	int *counts = at_the_edge((size_t)entries * sizeof *counts);

	for (int i = 0; i < entries; i++)
		counts[i] = each;
	return counts;
}

static MPI_Datatype *types_of(int entries)
{
	MPI_Datatype *types = at_the_edge((size_t)entries * sizeof(MPI_Datatype));

	for (int i = 0; i < entries; i++)
		types[i] = MPI_INT;
	return types;
}

/* The vector has as many elements in both groups, and each shares out the other's. */
static void reduce_and_scatter(MPI_Comm inter, int members, int others)
{
	int each = VECTOR / members, give = 4 * VECTOR, get = 4 * each;
	int *counts = counts_of(members, each);

	CALL(Reduce_scatter, give, get, out, in, counts, MPI_INT, MPI_SUM, inter);
	check(in[0] == others && in[each - 1] == others, "what MPI_Reduce_scatter gives");
	CALL(Reduce_scatter_block, give, get, out, in, each, MPI_INT, MPI_SUM, inter);
	check(in[0] == others, "what MPI_Reduce_scatter_block gives");
	CALL(Ireduce_scatter, give, get, out, in, counts, MPI_INT, MPI_SUM, inter, &request);
	WAIT;
	CALL(Ireduce_scatter_block, give, get, out, in, each, MPI_INT, MPI_SUM, inter, &request);
	WAIT;
	check(in[0] == others, "what MPI_Ireduce_scatter_block gives");
}

static void all_to_all(MPI_Comm inter, int others)
{
	int *counts = counts_of(others, 2), bytes = 8 * others;
	MPI_Datatype *types = types_of(others);
	int *bytes_before = counts_of(others, 0);

	CALL(Allgatherv, 8, bytes, out, 2, MPI_INT, in, counts, offsets, MPI_INT, inter);
	CALL(Alltoall, bytes, bytes, out, 2, MPI_INT, in, 2, MPI_INT, inter);
	CALL(Alltoallv, bytes, bytes, out, counts, offsets, MPI_INT, in, counts, offsets, MPI_INT,
	     inter);
	CALL(Alltoallw, bytes, bytes, out, counts, bytes_before, types, in, counts, bytes_before,
	     types, inter);
	CALL(Iallgatherv, 8, bytes, out, 2, MPI_INT, in, counts, offsets, MPI_INT, inter, &request);
	WAIT;
	CALL(Ialltoallv, bytes, bytes, out, counts, offsets, MPI_INT, in, counts, offsets, MPI_INT,
	     inter, &request);
	WAIT;
	CALL(Ialltoallw, bytes, bytes, out, counts, bytes_before, types, in, counts, bytes_before,
	     types, inter, &request);
	WAIT;
}

/* Rank 0 of the left group is the root: its counts are of the right group, and nobody else has
 * any. */
static void from_and_to_one(MPI_Comm inter, bool is_left, int others)
{
	int root = is_left ? MPI_ROOT : 0, *counts = is_left ? counts_of(others, 2) : NULL;
	int of_root = is_left ? 8 * others : 0, of_others = is_left ? 0 : 8;

	CALL(Gather, of_others, of_root, out, 2, MPI_INT, in, 2, MPI_INT, root, inter);
	CALL(Gatherv, of_others, of_root, out, 2, MPI_INT, in, counts, offsets, MPI_INT, root,
	     inter);
	CALL(Scatterv, of_root, of_others, out, counts, offsets, MPI_INT, in, 2, MPI_INT, root,
	     inter);
	CALL(Igatherv, of_others, of_root, out, 2, MPI_INT, in, counts, offsets, MPI_INT, root,
	     inter, &request);
	WAIT;
	CALL(Iscatterv, of_root, of_others, out, counts, offsets, MPI_INT, in, 2, MPI_INT, root,
	     inter, &request);
	WAIT;
	CALL(Reduce, of_others, of_root / others, out, in, 2, MPI_INT, MPI_SUM, root, inter);
	CALL(Bcast, of_root / others, of_others, out, 2, MPI_INT, root, inter);
}

#if MPI_VERSION >= 4
static MPI_Count *large_counts_of(int entries, int each)
{
	MPI_Count *counts = at_the_edge((size_t)entries * sizeof *counts);

	for (int i = 0; i < entries; i++)
		counts[i] = each;
	return counts;
}

static MPI_Aint *large_offsets_of(int entries)
{
	return at_the_edge((size_t)entries * sizeof(MPI_Aint));
}

#define START_AND_FREE                                                                             \
	CALL(Start, 0, 0, &request);                                                               \
	WAIT;                                                                                      \
	CALL(Request_free, 0, 0, &request)

static void of_mpi_4(MPI_Comm inter, int members, int others)
{
	int each = VECTOR / members, give = 4 * VECTOR, get = 4 * each, bytes = 8 * others;
	MPI_Count *own = large_counts_of(members, each), *of_others = large_counts_of(others, 2);
	MPI_Aint *before = large_offsets_of(others);

	CALL(Reduce_scatter_c, give, get, out, in, own, MPI_INT, MPI_SUM, inter);
	CALL(Reduce_scatter_block_c, give, get, out, in, each, MPI_INT, MPI_SUM, inter);
	CALL(Allgatherv_c, 8, bytes, out, 2, MPI_INT, in, of_others, before, MPI_INT, inter);
	CALL(Alltoallv_c, bytes, bytes, out, of_others, before, MPI_INT, in, of_others, before,
	     MPI_INT, inter);
	CALL(Reduce_scatter_init, give, get, out, in, counts_of(members, each), MPI_INT, MPI_SUM,
	     inter, MPI_INFO_NULL, &request);
	START_AND_FREE;
	CALL(Reduce_scatter_block_init, give, get, out, in, each, MPI_INT, MPI_SUM, inter,
	     MPI_INFO_NULL, &request);
	START_AND_FREE;
	CALL(Alltoallv_init, bytes, bytes, out, counts_of(others, 2), offsets, MPI_INT, in,
	     counts_of(others, 2), offsets, MPI_INT, inter, MPI_INFO_NULL, &request);
	START_AND_FREE;
}
#endif

static void between_groups(void)
{
	MPI_Comm side, inter;
	bool is_left = rank == 0;
	int members;

	CALL(Comm_split, 0, 0, MPI_COMM_WORLD, is_left, rank, &side);
	CALL(Comm_size, 0, 0, side, &members);
	CALL(Intercomm_create, 0, 0, side, 0, MPI_COMM_WORLD, is_left ? 1 : 0, 7, &inter);
	reduce_and_scatter(inter, members, size - members);
	all_to_all(inter, size - members);
	from_and_to_one(inter, is_left, size - members);
#if MPI_VERSION >= 4
	of_mpi_4(inter, members, size - members);
#endif
	CALL(Comm_free, 0, 0, &inter);
	CALL(Comm_free, 0, 0, &side);
}

/* (MPICH 4.0.2 itself reads more entries than there are neighbours in MPI_Neighbor_alltoallw, as
 * many as the communicator has ranks: its arrays are longer.) */
static void all_neighbours(MPI_Comm comm, int sources, int destinations)
{
	int get = 8 * sources, give = 8 * destinations;
	int *got = counts_of(sources, 2), *given = counts_of(destinations, 2);
	MPI_Datatype *types = types_of(ROOM);
	int *twos = counts_of(ROOM, 2);

	CALL(Neighbor_allgatherv, 8, get, out, 2, MPI_INT, in, got, offsets, MPI_INT, comm);
	CALL(Neighbor_alltoallv, give, get, out, given, offsets, MPI_INT, in, got, offsets, MPI_INT,
	     comm);
	CALL(Neighbor_alltoallw, give, get, out, twos, bytes_at, types, in, twos, bytes_at, types,
	     comm);
	CALL(Ineighbor_allgatherv, 8, get, out, 2, MPI_INT, in, got, offsets, MPI_INT, comm,
	     &request);
	WAIT;
	CALL(Ineighbor_alltoallv, give, get, out, given, offsets, MPI_INT, in, got, offsets,
	     MPI_INT, comm, &request);
	WAIT;
	CALL(Ineighbor_alltoallw, give, get, out, twos, bytes_at, types, in, twos, bytes_at, types,
	     comm, &request);
	WAIT;
}

/* Each gives to the next one, and rank 0 to all others besides. */
static void on_a_wheel(void)
{
	MPI_Comm wheel;
	int from[2] = {(rank + size - 1) % size, 0}, to[ROOM] = {(rank + 1) % size};
	int sources = rank ? 2 : 1, destinations = rank ? 1 : size;

	for (int i = 1; i < size; i++)
		to[i] = i;
	CALL(Dist_graph_create_adjacent, 0, 0, MPI_COMM_WORLD, sources, from, MPI_UNWEIGHTED,
	     destinations, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &wheel);
	all_neighbours(wheel, sources, destinations);
	CALL(Comm_free, 0, 0, &wheel);
}

/* Rank 0 and each other one are neighbours both ways. */
static void on_a_graph(void)
{
	MPI_Comm graph;
	int index[ROOM], edges[ROOM], mine = rank ? 1 : size - 1;

	for (int i = 0; i < size; i++)
		index[i] = size - 1 + i;
	for (int i = 0; i < size - 1; i++) {
		edges[i] = i + 1;
		edges[size - 1 + i] = 0;
	}
	CALL(Graph_create, 0, 0, MPI_COMM_WORLD, size, index, edges, 0, &graph);
	all_neighbours(graph, mine, mine);
	CALL(Comm_free, 0, 0, &graph);
}

int main(void)
{
	begin();
	for (int i = 0; i < ROOM; i++) {
		out[i] = 1;
		offsets[i] = 2 * i;
		bytes_at[i] = 8 * i;
	}
	between_groups();
	on_a_wheel();
	on_a_graph();
	return end();
}
