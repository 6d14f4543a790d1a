/* SPDX-License-Identifier: MIT */
/* Rank 0 is late at a barrier by 60 ms; then work is uneven before five MPI_Allreduce: 4 ms for
 * each number of the rank. Facts: `work` outside MPI between the first and the last barrier. */
#include "mpi_truth.h"

static NOINLINE void one_is_late(void)
{
	if (rank == 0)
		nap_raw(0.06);
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	KEEP;
}

static NOINLINE double uneven_work(void)
{
	double begin = now(), sum = 0, one = 1;

	nap_raw(0.004 * rank);
	double worked = now() - begin;
	CALL(Allreduce, 8, 8, &one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	check(sum == size, "the sum of MPI_Allreduce");
	return worked;
}

int main(void)
{
	double work = 0;

	begin();
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	one_is_late();
	for (int i = 0; i < 5; i++)
		work += uneven_work();
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	truth("work", work);
	return end();
}
