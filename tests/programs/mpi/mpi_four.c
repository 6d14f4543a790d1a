/* SPDX-License-Identifier: MIT */
/* What MPI-4 added: persistent collectives, partitioned messages, MPI_Isendrecv. Two ranks. What
 * arrives is as much as there is room for: MPICH 4.0.2 leaves the status of MPI_Isendrecv as it is,
 * so that nobody knows better. */
#include "mpi_truth.h"

enum { N = 8, PARTS = 4, STARTS = 3 };
static int out[N * PARTS], in[N * PARTS];

static void persistent(void)
{
	MPI_Request request;

	CALL(Allreduce_init, 0, 0, out, in, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
	     &request);
	for (int i = 0; i < STARTS; i++) {
		CALL(Start, 0, 0, &request);
		CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	}
	ALSO(Allreduce_init, STARTS * N * 4, STARTS * N * 4);
	CALL(Request_free, 0, 0, &request);
}

static void partitioned(int other)
{
	MPI_Request request;
	int flag = 0;

	if (rank == 0)
		CALL(Psend_init, 0, 0, out, PARTS, N, MPI_INT, other, 1, MPI_COMM_WORLD,
		     MPI_INFO_NULL, &request);
	else
		CALL(Precv_init, 0, 0, in, PARTS, N, MPI_INT, other, 1, MPI_COMM_WORLD,
		     MPI_INFO_NULL, &request);
	CALL(Start, 0, 0, &request);
	for (int i = 0; i < PARTS; i++)
		if (rank == 0)
			CALL(Pready, 0, 0, i, request);
	while (rank == 1 && !flag)
		CALL(Parrived, 0, 0, request, PARTS - 1, &flag);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	CALL(Request_free, 0, 0, &request);
	check(rank == 0 || in[N * PARTS - 1] == 1, "the data of partitions");
	if (rank == 0) {
		ALSO(Psend_init, 4 * N * PARTS, 0);
		sent_to(other, 4 * N * PARTS);
	} else {
		ALSO(Precv_init, 0, 4 * N * PARTS);
		got_from(other, 4 * N * PARTS);
	}
}

static void both_ways(int other)
{
	MPI_Request request;

	CALL(Isendrecv, 4 * N, 4 * N, out, N, MPI_INT, other, 2, in, N, MPI_INT, other, 2,
	     MPI_COMM_WORLD, &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	CALL(Isendrecv_replace, 4 * N, 4 * N, in, N, MPI_INT, other, 3, other, 3, MPI_COMM_WORLD,
	     &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	check(in[N - 1] == 1, "the data of MPI_Isendrecv");
	for (int i = 0; i < 2; i++) {
		sent_to(other, 4 * N);
		got_from(other, 4 * N);
	}
}

/* From rank 0 to rank 1 alone: the other half of each call is MPI_PROC_NULL. */
static void one_way(void)
{
	MPI_Request request;
	int to = rank == 0 ? 1 : MPI_PROC_NULL, from = rank == 1 ? 0 : MPI_PROC_NULL;

	CALL(Isendrecv, rank == 0 ? 4 * N : 0, rank == 1 ? 4 * N : 0, out, N, MPI_INT, to, 4, in, N,
	     MPI_INT, from, 4, MPI_COMM_WORLD, &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	if (rank == 0)
		sent_to(1, 4 * N);
	else
		got_from(0, 4 * N);
}

int main(void)
{
	begin();
	for (int i = 0; i < N * PARTS; i++)
		out[i] = 1;
	persistent();
	partitioned(1 - rank);
	both_ways(1 - rank);
	one_way();
	return end();
}
