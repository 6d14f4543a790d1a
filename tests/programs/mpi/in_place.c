/* SPDX-License-Identifier: MIT */
/* Every collective with MPI_IN_PLACE: data movement does not count the side that is in place, a
 * reduction does, for its input is there. The arguments that MPI then ignores are such as would be
 * fatal if they were looked at. */
#include "mpi_truth.h"

enum { N = 6, BYTES = N * 4 };
static int data[N * 8], sum[N * 8];
static int counts[8], offsets[8];
static MPI_Datatype types[8];

static void fill(void)
{
	for (int i = 0; i < N * 8; i++)
		data[i] = i / N == rank ? rank + 1 : 0;
}

static void check_blocks(const char *what)
{
	for (int i = 0; i < size; i++)
		check(data[i * N] == i + 1 && data[i * N + N - 1] == i + 1, what);
}

static void rooted(void)
{
	bool is_root = rank == 1;

	fill();
	if (is_root)
		CALL(Gather, 0, BYTES * size, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, N, MPI_INT,
		     1, MPI_COMM_WORLD);
	else
		CALL(Gather, BYTES, 0, data + rank * N, N, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 1,
		     MPI_COMM_WORLD);
	if (is_root)
		check_blocks("MPI_Gather in place");
	if (is_root)
		CALL(Gatherv, 0, BYTES * size, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, counts,
		     offsets, MPI_INT, 1, MPI_COMM_WORLD);
	else
		CALL(Gatherv, BYTES, 0, data + rank * N, N, MPI_INT, NULL, NULL, NULL,
		     MPI_DATATYPE_NULL, 1, MPI_COMM_WORLD);
	if (is_root)
		CALL(Scatter, BYTES * size, 0, data, N, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL,
		     1, MPI_COMM_WORLD);
	else
		CALL(Scatter, 0, BYTES, NULL, 0, MPI_DATATYPE_NULL, data + rank * N, N, MPI_INT, 1,
		     MPI_COMM_WORLD);
	if (is_root)
		CALL(Scatterv, BYTES * size, 0, data, counts, offsets, MPI_INT, MPI_IN_PLACE, 0,
		     MPI_DATATYPE_NULL, 1, MPI_COMM_WORLD);
	else
		CALL(Scatterv, 0, BYTES, NULL, NULL, NULL, MPI_DATATYPE_NULL, data + rank * N, N,
		     MPI_INT, 1, MPI_COMM_WORLD);
	check(data[rank * N] == rank + 1, "MPI_Scatter in place");
}

static void all(void)
{
	fill();
	CALL(Allgather, 0, BYTES * size, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, N, MPI_INT,
	     MPI_COMM_WORLD);
	check_blocks("MPI_Allgather in place");
	fill();
	CALL(Allgatherv, 0, BYTES * size, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, counts, offsets,
	     MPI_INT, MPI_COMM_WORLD);
	check_blocks("MPI_Allgatherv in place");
	for (int i = 0; i < N * 8; i++)
		data[i] = rank + 1;
	CALL(Alltoall, 0, BYTES * size, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, N, MPI_INT,
	     MPI_COMM_WORLD);
	check_blocks("MPI_Alltoall in place");
	CALL(Alltoallv, 0, BYTES * size, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, data, counts,
	     offsets, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < 8; i++)
		offsets[i] *= 4;
	CALL(Alltoallw, 0, BYTES * size, MPI_IN_PLACE, NULL, NULL, NULL, data, counts, offsets,
	     types, MPI_COMM_WORLD);
}

static void reductions(void)
{
	for (int i = 0; i < N * 8; i++)
		sum[i] = 1;
	if (rank == 1)
		CALL(Reduce, BYTES, BYTES, MPI_IN_PLACE, sum, N, MPI_INT, MPI_SUM, 1,
		     MPI_COMM_WORLD);
	else
		CALL(Reduce, BYTES, 0, sum, NULL, N, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
	check(sum[0] == (rank == 1 ? size : 1), "MPI_Reduce in place");
	sum[0] = 1;
	CALL(Allreduce, 4, 4, MPI_IN_PLACE, sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	check(sum[0] == size, "MPI_Allreduce in place");
	sum[0] = 1;
	CALL(Scan, 4, 4, MPI_IN_PLACE, sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	check(sum[0] == rank + 1, "MPI_Scan in place");
	sum[0] = 1;
	CALL(Exscan, 4, 4, MPI_IN_PLACE, sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	check(rank == 0 || sum[0] == rank, "MPI_Exscan in place");
	for (int i = 0; i < N * 8; i++)
		sum[i] = 1;
	CALL(Reduce_scatter, BYTES * size, BYTES, MPI_IN_PLACE, sum, counts, MPI_INT, MPI_SUM,
	     MPI_COMM_WORLD);
	check(sum[0] == size, "MPI_Reduce_scatter in place");
	sum[0] = 1;
	CALL(Reduce_scatter_block, 4 * size, 4, MPI_IN_PLACE, sum, 1, MPI_INT, MPI_SUM,
	     MPI_COMM_WORLD);
}

static void nonblocking(void)
{
	MPI_Request request;

	CALL(Iallreduce, 4, 4, MPI_IN_PLACE, sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	CALL(Iallgather, 0, BYTES * size, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, N, MPI_INT,
	     MPI_COMM_WORLD, &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
}

int main(void)
{
	begin();
	for (int i = 0; i < 8; i++) {
		counts[i] = N;
		offsets[i] = N * i;
		types[i] = MPI_INT;
	}
	rooted();
	all();
	reductions();
	nonblocking();
	return end();
}
