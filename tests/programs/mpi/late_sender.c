/* SPDX-License-Identifier: MIT */
/* Two ranks. Rank 1 sends 50 ms late, so that rank 0 waits: in MPI_Recv, and in MPI_Wait. */
#include "mpi_truth.h"

enum { NUMBERS = 100, BYTES = NUMBERS * 8 };
static double data[NUMBERS];
static const double late = 0.05;

static NOINLINE void receive_late(void)
{
	MPI_Status status;

	CALL(Recv, 0, BYTES, data, NUMBERS, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD, &status);
	check(status.MPI_SOURCE == 1 && status.MPI_TAG == 7, "the status of a receive");
	got_from(1, BYTES);
	KEEP;
}

static NOINLINE void wait_late(void)
{
	MPI_Request request;

	CALL(Irecv, 0, BYTES, data, NUMBERS, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD, &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	got_from(1, BYTES);
	KEEP;
}

static NOINLINE void send_late(void)
{
	MPI_Request request;

	nap_raw(late);
	CALL(Send, BYTES, 0, data, NUMBERS, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	nap_raw(late);
	CALL(Isend, BYTES, 0, data, NUMBERS, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD, &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	sent_to(0, BYTES);
	sent_to(0, BYTES);
	KEEP;
}

int main(void)
{
	begin();
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	if (rank == 0) {
		receive_late();
		CALL(Barrier, 0, 0, MPI_COMM_WORLD);
		wait_late();
	} else {
		for (int i = 0; i < NUMBERS; i++)
			data[i] = i;
		send_late();
	}
	check(data[NUMBERS - 1] == NUMBERS - 1, "the data of a late message");
	return end();
}
