/* SPDX-License-Identifier: MIT */
/* Two ranks: messages that are probed and received by their handle. */
#include "mpi_truth.h"

enum { N = 10, BYTES = N * 4 };
static int data[N];

static void send(void)
{
	for (int tag = 1; tag <= 3; tag++) {
		CALL(Ssend, BYTES, 0, data, N, MPI_INT, 1, tag, MPI_COMM_WORLD);
		sent_to(1, BYTES);
	}
}

static void receive(void)
{
	MPI_Status status;
	MPI_Message message;
	MPI_Request request;

	CALL(Mprobe, 0, 0, 0, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	CALL(Mrecv, 0, BYTES, data, N, MPI_INT, &message, MPI_STATUS_IGNORE);
	for (int flag = 0; !flag;)
		CALL(Improbe, 0, 0, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, &message, &status);
	CALL(Imrecv, 0, BYTES, data, N, MPI_INT, &message, &request);
	CALL(Wait, 0, 0, &request, &status);
	check(status.MPI_SOURCE == 0 && status.MPI_TAG == 2, "the status of MPI_Imrecv");
	CALL(Mprobe, 0, 0, 0, 3, MPI_COMM_WORLD, &message, &status);
	CALL(Mrecv, 0, BYTES, data, N, MPI_INT, &message, &status);
	check(status.MPI_SOURCE == 0 && status.MPI_TAG == 3, "the status of MPI_Mrecv");
	for (int i = 0; i < 3; i++)
		got_from(0, BYTES);
}

int main(void)
{
	begin();
	rank == 0 ? send() : receive();
	return end();
}
