/* SPDX-License-Identifier: MIT */
/* Two ranks and the edges of point to point: no elements, no process, any source and tag, probes,
 * statuses that are wanted and that are not, a message to oneself, all send modes.
 */
#include "mpi_truth.h"

enum { N = 10, BYTES = N * 4 };
static int out[N], in[N];

static void nothing(int other)
{
	MPI_Status status;
	int count = -1;

	if (rank == 0) {
		CALL(Send, 0, 0, NULL, 0, MPI_INT, other, 1, MPI_COMM_WORLD);
		sent_to(other, 0);
	} else {
		CALL(Recv, 0, 0, NULL, 0, MPI_INT, other, 1, MPI_COMM_WORLD, &status);
		CALL(Get_count, 0, 0, &status, MPI_INT, &count);
		check(count == 0, "an empty message");
		got_from(other, 0);
	}
	CALL(Bcast, 0, 0, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
	CALL(Allreduce, 0, 0, NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* Nothing goes to MPI_PROC_NULL, and nothing comes from it. */
static void nobody(void)
{
	MPI_Status status;
	MPI_Request request;

	CALL(Send, 0, 0, out, N, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
	CALL(Recv, 0, 0, in, N, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
	check(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG,
	      "the status of no process");
	CALL(Recv, 0, 0, in, N, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	CALL(Isend, 0, 0, out, N, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
	CALL(Wait, 0, 0, &request, &status);
	/* MPICH 4.0.2 leaves this status as it is; it must not be taken for a message. */
	memset(&status, 0x7f, sizeof status);
	CALL(Irecv, 0, 0, in, N, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
	CALL(Wait, 0, 0, &request, &status);
	CALL(Sendrecv, 0, 0, out, N, MPI_INT, MPI_PROC_NULL, 1, in, N, MPI_INT, MPI_PROC_NULL, 1,
	     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void anybody(int other)
{
	MPI_Status status;
	MPI_Request request;
	int count;

	if (rank == 0) {
		for (int tag = 1; tag <= 3; tag++) {
			CALL(Send, 4 * tag, 0, out, tag, MPI_INT, other, tag, MPI_COMM_WORLD);
			sent_to(other, 4 * tag);
		}
		return;
	}
	CALL(Recv, 0, 4, in, N, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
	     MPI_STATUS_IGNORE);
	CALL(Recv, 0, 8, in, N, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
	CALL(Get_count, 0, 0, &status, MPI_INT, &count);
	check(status.MPI_SOURCE == other && status.MPI_TAG == 2 && count == 2,
	      "the status of any message");
	CALL(Irecv, 0, 12, in, N, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
	CALL(Wait, 0, 0, &request, &status);
	check(status.MPI_SOURCE == other && status.MPI_TAG == 3,
	      "the status of a request from anybody");
	for (int tag = 1; tag <= 3; tag++)
		got_from(other, 4 * tag);
}

static void swap(int other)
{
	MPI_Status status;

	memcpy(in, out, sizeof in);
	CALL(Sendrecv_replace, BYTES, BYTES, in, N, MPI_INT, other, 5, other, 5, MPI_COMM_WORLD,
	     &status);
	check(in[0] == other + 1 && status.MPI_SOURCE == other && status.MPI_TAG == 5,
	      "MPI_Sendrecv_replace");
	CALL(Sendrecv_replace, BYTES, BYTES, in, N, MPI_INT, other, 5, MPI_ANY_SOURCE, 5,
	     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	check(in[0] == rank + 1, "MPI_Sendrecv_replace back");
	/* less arrives than there is room for */
	CALL(Sendrecv, 4 * (rank + 1), 4 * (other + 1), out, rank + 1, MPI_INT, other, 6, in, N,
	     MPI_INT, other, 6, MPI_COMM_WORLD, &status);
	check(status.MPI_SOURCE == other, "the status of MPI_Sendrecv");
	sent_to(other, BYTES);
	sent_to(other, BYTES);
	sent_to(other, 4 * (rank + 1));
	got_from(other, BYTES);
	got_from(other, BYTES);
	got_from(other, 4 * (other + 1));
}

static void oneself(void)
{
	CALL(Sendrecv, BYTES, BYTES, out, N, MPI_INT, rank, 7, in, N, MPI_INT, rank, 7,
	     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	CALL(Sendrecv, BYTES, BYTES, out, N, MPI_INT, 0, 7, in, N, MPI_INT, 0, 7, MPI_COMM_SELF,
	     MPI_STATUS_IGNORE);
	for (int i = 0; i < 2; i++) {
		sent_to(rank, BYTES);
		got_from(rank, BYTES);
	}
}

static void probed(int other)
{
	MPI_Status status;
	int flag = 0;

	if (rank == 0) {
		for (int tag = 11; tag <= 12; tag++) {
			CALL(Ssend, BYTES, 0, out, N, MPI_INT, other, tag, MPI_COMM_WORLD);
			sent_to(other, BYTES);
		}
		return;
	}
	CALL(Probe, 0, 0, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &status);
	check(status.MPI_SOURCE == other, "the status of MPI_Probe");
	CALL(Recv, 0, BYTES, in, N, MPI_INT, status.MPI_SOURCE, 11, MPI_COMM_WORLD,
	     MPI_STATUS_IGNORE);
	while (!flag)
		CALL(Iprobe, 0, 0, other, 12, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	CALL(Recv, 0, BYTES, in, N, MPI_INT, other, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int i = 0; i < 2; i++)
		got_from(other, BYTES);
}

static void modes(int other)
{
	MPI_Request requests[4];

	if (rank == 0) {
		static char buffer[4096];
		void *back;
		int length;
		CALL(Buffer_attach, 0, 0, buffer, sizeof buffer);
		CALL(Barrier, 0, 0, MPI_COMM_WORLD); /* the receives are there */
		CALL(Bsend, BYTES, 0, out, N, MPI_INT, other, 21, MPI_COMM_WORLD);
		CALL(Rsend, BYTES, 0, out, N, MPI_INT, other, 22, MPI_COMM_WORLD);
		CALL(Ibsend, BYTES, 0, out, N, MPI_INT, other, 23, MPI_COMM_WORLD, &requests[0]);
		CALL(Issend, BYTES, 0, out, N, MPI_INT, other, 24, MPI_COMM_WORLD, &requests[1]);
		CALL(Waitall, 0, 0, 2, requests, MPI_STATUSES_IGNORE);
		CALL(Buffer_detach, 0, 0, &back, &length);
	} else {
		for (int i = 0; i < 4; i++)
			CALL(Irecv, 0, BYTES, in, N, MPI_INT, other, 21 + i, MPI_COMM_WORLD,
			     &requests[i]);
		CALL(Barrier, 0, 0, MPI_COMM_WORLD);
		CALL(Waitall, 0, 0, 4, requests, MPI_STATUSES_IGNORE);
	}
	for (int i = 0; i < 4; i++)
		rank == 0 ? sent_to(other, BYTES) : got_from(other, BYTES);
}

int main(void)
{
	begin();
	for (int i = 0; i < N; i++)
		out[i] = rank + 1;
	nothing(1 - rank);
	nobody();
	anybody(1 - rank);
	swap(1 - rank);
	oneself();
	probed(1 - rank);
	modes(1 - rank);
	return end();
}
