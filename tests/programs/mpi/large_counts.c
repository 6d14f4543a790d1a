/* SPDX-License-Identifier: MIT */
/* The calls with counts of 64 bits: their arrays of counts have other elements. Two ranks. */
#include "mpi_truth.h"

enum { N = 12, BYTES = N * 4 };
static int out[4 * N], in[4 * N];

static void point_to_point(int other)
{
	MPI_Request requests[2];
	MPI_Status status;
	MPI_Count count;

	if (rank == 0) {
		CALL(Send_c, BYTES, 0, out, N, MPI_INT, other, 1, MPI_COMM_WORLD);
		CALL(Isend_c, BYTES, 0, out, N, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[0]);
		CALL(Wait, 0, 0, &requests[0], MPI_STATUS_IGNORE);
	} else {
		CALL(Recv_c, 0, BYTES, in, N, MPI_INT, other, 1, MPI_COMM_WORLD, &status);
		CALL(Get_count_c, 0, 0, &status, MPI_INT, &count);
		check(count == N, "MPI_Get_count_c");
		CALL(Irecv_c, 0, BYTES, in, N, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[0]);
		CALL(Wait, 0, 0, &requests[0], MPI_STATUS_IGNORE);
	}
	for (int i = 0; i < 2; i++)
		rank == 0 ? sent_to(other, BYTES) : got_from(other, BYTES);
}

static void collectives(void)
{
	/* rank r gives r + 1 ints to each */
	MPI_Count mine[] = {rank + 1, rank + 1}, theirs[] = {1, 2};
	MPI_Aint mine_at[] = {0, rank + 1}, theirs_at[] = {0, 1};

	CALL(Allreduce_c, BYTES, BYTES, out, in, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	CALL(Bcast_c, rank == 0 ? BYTES : 0, rank == 0 ? 0 : BYTES, out, N, MPI_INT, 0,
	     MPI_COMM_WORLD);
	CALL(Allgatherv_c, 4 * (rank + 1), 12, out, rank + 1, MPI_INT, in, theirs, theirs_at,
	     MPI_INT, MPI_COMM_WORLD);
	CALL(Alltoallv_c, 8 * (rank + 1), 12, out, mine, mine_at, MPI_INT, in, theirs, theirs_at,
	     MPI_INT, MPI_COMM_WORLD);
	CALL(Reduce_scatter_c, 12, 4 * (rank + 1), out, in, theirs, MPI_INT, MPI_SUM,
	     MPI_COMM_WORLD);
}

int main(void)
{
	begin();
	point_to_point(1 - rank);
	collectives();
	return end();
}
