/* SPDX-License-Identifier: MIT */
/* MPI and OpenMP: rank 0 prepares each round by its main thread alone, with the kernel that the
 * teams of all ranks call as well; the other ranks poll for it in MPI_Allreduce. Known: nothing
 * but `prepare` is serial. Built with gcc -fopenmp. */
#include "mpi_truth.h"

enum { ROUNDS = 8 };

static NOINLINE void kernel(double seconds)
{
	BURN(seconds);
	KEEP;
}

static NOINLINE void prepare(void)
{
	for (int i = 0; i < 5; i++)
		kernel(0.02);
	KEEP;
}

static NOINLINE void together(void)
{
#pragma omp parallel num_threads(2)
	kernel(0.01);
	KEEP;
}

int main(void)
{
	double sum = 0, one = 1;

	begin();
	for (int i = 0; i < ROUNDS; i++) {
		if (!rank)
			prepare();
		together();
		CALL(Allreduce, 8, 8, &one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		check(sum == size, "the sum of MPI_Allreduce");
	}
	return end();
}
