/* SPDX-License-Identifier: MIT */
/* The v- and w-collectives and the plain ones, each rank with counts of its own, blocking and
 * nonblocking. Rank r has r + 1 ints for everybody. */
#include "mpi_truth.h"

enum { MOST = 64 };
static int out[MOST], in[MOST];
static int mine[8], theirs[8], mine_at[8], theirs_at[8], mine_bytes_at[8], theirs_bytes_at[8];
static MPI_Datatype types[8];
static int total; /* of theirs */
static MPI_Request request;

#define WAIT CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE)

static void set_up(void)
{
	for (int i = 0; i < size; i++) {
		mine[i] = rank + 1;
		theirs[i] = i + 1;
		mine_at[i] = i * (rank + 1);
		theirs_at[i] = total;
		mine_bytes_at[i] = 4 * mine_at[i];
		theirs_bytes_at[i] = 4 * total;
		types[i] = MPI_INT;
		total += i + 1;
	}
	for (int i = 0; i < MOST; i++)
		out[i] = rank;
}

static void check_all(const char *what)
{
	for (int i = 0; i < size; i++)
		check(in[theirs_at[i]] == i, what);
	memset(in, -1, sizeof in);
}

static void gather_and_scatter(int root)
{
	int own = 4 * (rank + 1), all = rank == root ? 4 * total : 0;

	CALL(Gatherv, own, all, out, rank + 1, MPI_INT, in, theirs, theirs_at, MPI_INT, root,
	     MPI_COMM_WORLD);
	CALL(Scatterv, all, own, in, theirs, theirs_at, MPI_INT, out, rank + 1, MPI_INT, root,
	     MPI_COMM_WORLD);
	check(out[0] == rank && out[rank] == rank, "MPI_Scatterv");
	CALL(Igatherv, own, all, out, rank + 1, MPI_INT, in, theirs, theirs_at, MPI_INT, root,
	     MPI_COMM_WORLD, &request);
	WAIT;
	CALL(Iscatterv, all, own, in, theirs, theirs_at, MPI_INT, out, rank + 1, MPI_INT, root,
	     MPI_COMM_WORLD, &request);
	WAIT;
	all = rank == root ? 4 * size : 0;
	CALL(Gather, 4, all, out, 1, MPI_INT, in, 1, MPI_INT, root, MPI_COMM_WORLD);
	CALL(Scatter, all, 4, in, 1, MPI_INT, out, 1, MPI_INT, root, MPI_COMM_WORLD);
	CALL(Igather, 4, all, out, 1, MPI_INT, in, 1, MPI_INT, root, MPI_COMM_WORLD, &request);
	WAIT;
	CALL(Iscatter, all, 4, in, 1, MPI_INT, out, 1, MPI_INT, root, MPI_COMM_WORLD, &request);
	WAIT;
}

static void everybody(void)
{
	int own = 4 * (rank + 1), given = own * size;

	CALL(Allgatherv, own, 4 * total, out, rank + 1, MPI_INT, in, theirs, theirs_at, MPI_INT,
	     MPI_COMM_WORLD);
	check_all("MPI_Allgatherv");
	CALL(Alltoallv, given, 4 * total, out, mine, mine_at, MPI_INT, in, theirs, theirs_at,
	     MPI_INT, MPI_COMM_WORLD);
	check_all("MPI_Alltoallv");
	CALL(Alltoallw, given, 4 * total, out, mine, mine_bytes_at, types, in, theirs,
	     theirs_bytes_at, types, MPI_COMM_WORLD);
	check_all("MPI_Alltoallw");
	CALL(Iallgatherv, own, 4 * total, out, rank + 1, MPI_INT, in, theirs, theirs_at, MPI_INT,
	     MPI_COMM_WORLD, &request);
	WAIT;
	CALL(Ialltoallv, given, 4 * total, out, mine, mine_at, MPI_INT, in, theirs, theirs_at,
	     MPI_INT, MPI_COMM_WORLD, &request);
	WAIT;
	CALL(Ialltoallw, given, 4 * total, out, mine, mine_bytes_at, types, in, theirs,
	     theirs_bytes_at, types, MPI_COMM_WORLD, &request);
	WAIT;
	CALL(Allgather, 8, 8 * size, out, 2, MPI_INT, in, 2, MPI_INT, MPI_COMM_WORLD);
	CALL(Alltoall, 8 * size, 8 * size, out, 2, MPI_INT, in, 2, MPI_INT, MPI_COMM_WORLD);
	CALL(Iallgather, 8, 8 * size, out, 2, MPI_INT, in, 2, MPI_INT, MPI_COMM_WORLD, &request);
	WAIT;
	CALL(Ialltoall, 8 * size, 8 * size, out, 2, MPI_INT, in, 2, MPI_INT, MPI_COMM_WORLD,
	     &request);
	WAIT;
}

static void reductions(int root)
{
	int at_root = rank == root ? 12 : 0;

	CALL(Reduce, 12, at_root, out, in, 3, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
	check(rank != root || in[0] == size - 1, "MPI_Reduce");
	CALL(Ireduce, 12, at_root, out, in, 3, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD, &request);
	WAIT;
	CALL(Reduce_scatter, 4 * total, 4 * (rank + 1), out, in, theirs, MPI_INT, MPI_MAX,
	     MPI_COMM_WORLD);
	CALL(Reduce_scatter_block, 4 * size, 4, out, in, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	CALL(Ireduce_scatter, 4 * total, 4 * (rank + 1), out, in, theirs, MPI_INT, MPI_MAX,
	     MPI_COMM_WORLD, &request);
	WAIT;
	CALL(Ireduce_scatter_block, 4 * size, 4, out, in, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD,
	     &request);
	WAIT;
	CALL(Scan, 8, 8, out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	CALL(Exscan, 8, 8, out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	CALL(Iscan, 8, 8, out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	WAIT;
	CALL(Iexscan, 8, 8, out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	WAIT;
	CALL(Ibcast, rank == root ? 8 : 0, rank == root ? 0 : 8, in, 2, MPI_INT, root,
	     MPI_COMM_WORLD, &request);
	WAIT;
	CALL(Ibarrier, 0, 0, MPI_COMM_WORLD, &request);
	WAIT;
}

int main(void)
{
	begin();
	set_up();
	gather_and_scatter(size - 1);
	everybody();
	reductions(1);
	return end();
}
