/* SPDX-License-Identifier: MIT */
/* A program of an MPI build that is started without a launcher. */
#include "mpi_truth.h"

int main(void)
{
	int out = 5, in = 0, flag = 0;

	CALL(Initialized, 0, 0, &flag);
	check(!flag, "MPI_Initialized before MPI_Init");
	begin();
	check(size == 1, "the size of a singleton");
	CALL(Sendrecv, 4, 4, &out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD,
	     MPI_STATUS_IGNORE);
	sent_to(0, 4);
	got_from(0, 4);
	check(in == 5, "a message to oneself");
	CALL(Allreduce, 4, 4, &out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	return end();
}
