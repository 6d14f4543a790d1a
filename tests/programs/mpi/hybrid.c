/* SPDX-License-Identifier: MIT */
/* MPI and threads: in each of two ranks two threads work for 30 ms of CPU time, and then the main
 * thread reduces. Fact: `work`, CPU time of the two. */
#include "mpi_truth.h"

static double worked[2];

static NOINLINE void *work(void *slot)
{
	double begin = cpu();

	BURN(0.03);
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
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	CALL(Allreduce, 4, 4, &one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	check(sum == size, "MPI_Allreduce");
	truth("work", worked[0] + worked[1]);
	return end();
}
