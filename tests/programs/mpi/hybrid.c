/* SPDX-License-Identifier: MIT */
/* MPI and threads: in each of two ranks two threads work for 100 ms of CPU time, and then the main
 * thread reduces. Facts: `work`, CPU time of the two; `join`, how long the main thread took to join
 * them. */
#include "mpi_truth.h"

static double worked[2];

static NOINLINE void *work(void *slot)
{
	double begin = cpu();

	BURN(0.1);
	*(double *)slot = cpu() - begin;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int provided, one = 1, sum = 0;

	CALL(Init_thread, 0, 0, NULL, NULL, MPI_THREAD_FUNNELED, &provided);
	CALL(Comm_rank, 0, 0, MPI_COMM_WORLD, &rank);
	CALL(Comm_size, 0, 0, MPI_COMM_WORLD, &size);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, &worked[i]);
	double joining = now();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	joining = now() - joining;
	CALL(Allreduce, 4, 4, &one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	check(sum == size, "MPI_Allreduce");
	truth("work", worked[0] + worked[1]);
	truth("join", joining);
	return end();
}
