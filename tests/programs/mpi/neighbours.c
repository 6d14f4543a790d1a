/* SPDX-License-Identifier: MIT */
/* Neighbourhood collectives: on a line of processes and on a tube, whose ends have neighbours that
 * are none (MPI_PROC_NULL: a place in the buffers, but no bytes move), and on a graph in which
 * ranks have different numbers of sources and destinations. */
#include "mpi_truth.h"

enum { MOST = 16 };
static int out[MOST * 4], in[MOST * 4];
static int counts[MOST], offsets[MOST];
static MPI_Aint bytes_at[MOST];
static MPI_Datatype types[MOST];
static MPI_Request request;

#define WAIT CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE)

/* Two ints for each edge; MPI_Neighbor_allgather gives the same two to all, if there are any. */
static void all_calls(MPI_Comm comm, int sources, int destinations)
{
	int get = 8 * sources, give = 8 * destinations, same = destinations ? 8 : 0;

	CALL(Neighbor_allgather, same, get, out, 2, MPI_INT, in, 2, MPI_INT, comm);
	CALL(Neighbor_allgatherv, same, get, out, 2, MPI_INT, in, counts, offsets, MPI_INT, comm);
	CALL(Neighbor_alltoall, give, get, out, 2, MPI_INT, in, 2, MPI_INT, comm);
	CALL(Neighbor_alltoallv, give, get, out, counts, offsets, MPI_INT, in, counts, offsets,
	     MPI_INT, comm);
	CALL(Neighbor_alltoallw, give, get, out, counts, bytes_at, types, in, counts, bytes_at,
	     types, comm);
	CALL(Ineighbor_allgather, same, get, out, 2, MPI_INT, in, 2, MPI_INT, comm, &request);
	WAIT;
	CALL(Ineighbor_allgatherv, same, get, out, 2, MPI_INT, in, counts, offsets, MPI_INT, comm,
	     &request);
	WAIT;
	CALL(Ineighbor_alltoall, give, get, out, 2, MPI_INT, in, 2, MPI_INT, comm, &request);
	WAIT;
	CALL(Ineighbor_alltoallv, give, get, out, counts, offsets, MPI_INT, in, counts, offsets,
	     MPI_INT, comm, &request);
	WAIT;
	CALL(Ineighbor_alltoallw, give, get, out, counts, bytes_at, types, in, counts, bytes_at,
	     types, comm, &request);
	WAIT;
}

static void on_a_line(void)
{
	MPI_Comm line;
	int periods = 0;

	CALL(Cart_create, 0, 0, MPI_COMM_WORLD, 1, &size, &periods, 0, &line);
	memset(in, -1, sizeof in);
	int neighbours = (rank > 0) + (rank < size - 1);
	all_calls(line, neighbours, neighbours);
	check(rank == 0 || in[0] == rank - 1, "what the left neighbour gives");
	CALL(Comm_free, 0, 0, &line);
}

/* A ring of one, at whose sides each rank has itself, times a line: the counts of both differ. */
static void on_a_tube(void)
{
	MPI_Comm tube;
	int sides[2] = {1, size}, periods[2] = {1, 0};

	CALL(Cart_create, 0, 0, MPI_COMM_WORLD, 2, sides, periods, 0, &tube);
	for (int i = 0; i < MOST; i++)
		counts[i] = i < 2 ? 2 : 1;
	int ends = (rank > 0) + (rank < size - 1), moved = 4 * (2 * 2 + ends);
	CALL(Neighbor_alltoallv, moved, moved, out, counts, offsets, MPI_INT, in, counts, offsets,
	     MPI_INT, tube);
	CALL(Neighbor_alltoallw, moved, moved, out, counts, bytes_at, types, in, counts, bytes_at,
	     types, tube);
	for (int i = 0; i < MOST; i++)
		counts[i] = 2;
	all_calls(tube, 2 + ends, 2 + ends);
	CALL(Comm_free, 0, 0, &tube);
}

/* Rank 0 gives to everybody else; all others only get. */
static void on_a_star(void)
{
	MPI_Comm star;
	int others[MOST], zero = 0, sources = rank ? 1 : 0, destinations = rank ? 0 : size - 1;

	for (int i = 0; i < MOST; i++)
		others[i] = i + 1;
	CALL(Dist_graph_create_adjacent, 0, 0, MPI_COMM_WORLD, sources, &zero, MPI_UNWEIGHTED,
	     destinations, others, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &star);
	memset(in, -1, sizeof in);
	all_calls(star, sources, destinations);
	check(rank == 0 || in[0] == 0, "what the middle of the star gives");
	CALL(Comm_free, 0, 0, &star);
}

int main(void)
{
	begin();
	for (int i = 0; i < MOST; i++) {
		counts[i] = 2;
		offsets[i] = 2 * i;
		bytes_at[i] = 8 * i;
		types[i] = MPI_INT;
	}
	for (int i = 0; i < MOST * 4; i++)
		out[i] = rank;
	on_a_line();
	on_a_tube();
	on_a_star();
	return end();
}
