/* SPDX-License-Identifier: MIT */
/* MPI and OpenMP: each rank alternates between a part of its main thread alone, a region whose
 * second thread has three times the work of the first, and a barrier of all ranks; the last rank's
 * part alone is longer. Built with gcc -fopenmp. Facts: elapsed time of `alone`, the rank's part
 * without a team, and of `first` and `second`, the parts of its threads. Work is sleeping that no
 * wrapper sees, so that ranks and threads need no processors of their own. */
#include "mpi_truth.h"

#include <omp.h>

enum { ROUNDS = 10 };

static double work(double seconds)
{
	double begin = now();

	nap_raw(seconds);
	return now() - begin;
}

static double worked[2];

static NOINLINE void together(void)
{
#pragma omp parallel num_threads(2)
	{
		int number = omp_get_thread_num();
		worked[number] += work(number ? 0.009 : 0.003);
	}
	KEEP;
}

static NOINLINE double alone_part(void)
{
	return work(rank == size - 1 ? 0.008 : 0.004);
}

int main(void)
{
	double alone = 0;

	begin();
	for (int i = 0; i < ROUNDS; i++) {
		alone += alone_part();
		together();
		CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	}
	truth("alone", alone);
	truth("first", worked[0]);
	truth("second", worked[1]);
	return end();
}
