/* SPDX-License-Identifier: MIT */
/* Who waits for whom: for a late root of MPI_Bcast, for a late leaf of MPI_Reduce, for a late rank
 * at a barrier. Each rank tells when it entered (facts NAME_enter, CLOCK_MONOTONIC), so that the
 * time lost can be computed from those of all. The last rank is the root of both calls: of
 * MPI_Reduce as rank 0 of a communicator that holds the ranks in reverse. */
#include "mpi_truth.h"

static NOINLINE void late_root(MPI_Comm comm, int root)
{
	int word = rank == root ? 42 : 0;

	if (rank == root)
		nap_raw(0.1);
	truth("bcast_enter", now());
	CALL(Bcast, rank == root ? 4 : 0, rank == root ? 0 : 4, &word, 1, MPI_INT, root, comm);
	check(word == 42, "what MPI_Bcast brings");
}

/* The world in reverse: rank 0 of it is the last of the job. */
static NOINLINE void late_leaf(MPI_Comm reverse)
{
	int one = 1, sum = 0;

	if (rank == 0)
		nap_raw(0.1);
	truth("reduce_enter", now());
	CALL(Reduce, 4, rank == size - 1 ? 4 : 0, &one, &sum, 1, MPI_INT, MPI_SUM, 0, reverse);
	check(rank != size - 1 || sum == size, "the sum of MPI_Reduce");
}

static NOINLINE void late_at_barrier(MPI_Comm comm)
{
	if (rank == size - 1)
		nap_raw(0.1);
	truth("barrier_enter", now());
	CALL(Barrier, 0, 0, comm);
	KEEP;
}

/* Ranks that are not told of: they begin the next part together. */
static void meet(void)
{
	int one = 1, sum;

	CALL(Allreduce, 4, 4, &one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(void)
{
	MPI_Comm reverse;

	begin();
	CALL(Comm_split, 0, 0, MPI_COMM_WORLD, 0, -rank, &reverse);
	meet();
	late_root(MPI_COMM_WORLD, size - 1);
	meet();
	late_leaf(reverse);
	meet();
	late_at_barrier(MPI_COMM_WORLD);
	CALL(Comm_free, 0, 0, &reverse);
	return end();
}
