/* SPDX-License-Identifier: MIT */
/* MPI_Pcontrol switches recording off and on: calls between are made, and not counted. A request
 * that was posted before is completed while recording is off, and the other way round. */
#include "mpi_truth.h"

static int one = 1, sum;

int main(void)
{
	begin();
	for (int i = 0; i < 10; i++)
		CALL(Allreduce, 4, 4, &one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Pcontrol(0);
	for (int i = 0; i < 7; i++)
		MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Pcontrol(1);
	for (int i = 0; i < 5; i++)
		CALL(Allreduce, 4, 4, &one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	check(sum == size, "MPI_Allreduce");
	return end();
}
