/* SPDX-License-Identifier: MIT */
/* Collective calls that move nothing: no rank needs to wait for the last, which is 100 ms late. */
#include "mpi_truth.h"

int main(void)
{
	int none = 0, sum = 0;

	begin();
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	for (int i = 0; i < 3; i++) {
		if (rank == size - 1)
			usleep(100000);
		CALL(Allreduce, 0, 0, &none, &sum, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		CALL(Allgather, 0, 0, &none, 0, MPI_INT, &sum, 0, MPI_INT, MPI_COMM_WORLD);
		CALL(Alltoall, 0, 0, &none, 0, MPI_INT, &sum, 0, MPI_INT, MPI_COMM_WORLD);
		CALL(Reduce, 0, 0, &none, &sum, 0, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
		CALL(Gather, 0, 0, &none, 0, MPI_INT, &sum, 0, MPI_INT, 0, MPI_COMM_WORLD);
	}
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	return end();
}
