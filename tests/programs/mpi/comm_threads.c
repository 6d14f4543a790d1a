/* SPDX-License-Identifier: MIT */
/* Three threads that make, use and free communicators of three sizes at once: a handle that one
 * thread frees comes again in another. */
#include "mpi_truth.h"

#include <pthread.h>

enum { THREADS = 3 };

static MPI_Comm parents[THREADS];
static int rounds = 20;

static MPI_Comm make(int number)
{
	static const int colours[THREADS - 1][4] = {{0, 1, 0, 1}, {0, 1, 1, 1}};
	MPI_Comm made;

	if (!number)
		CALL(Comm_dup, 0, 0, parents[number], &made);
	else
		CALL(Comm_split, 0, 0, parents[number], colours[number - 1][rank], rank, &made);
	return made;
}

static void *work(void *parent)
{
	int number = (int)((MPI_Comm *)parent - parents), one = 1;
	int members = number == 0 ? 4 : number == 1 ? 2 : rank ? 3 : 1;

	for (int i = 0; i < rounds; i++) {
		int sum, all[2 * PEERS_MOST];
		MPI_Comm comm = make(number);
		CALL(Allreduce, 4, 4, &one, &sum, 1, MPI_INT, MPI_SUM, comm);
		check(sum == members, "the size of a communicator");
		CALL(Allgather, 4, 4LL * members, &one, 1, MPI_INT, all, 1, MPI_INT, comm);
		CALL(Comm_free, 0, 0, &comm);
	}
	return NULL;
}

int main(int count, char **arguments)
{
	pthread_t threads[THREADS];
	int provided;

	rounds = count > 1 ? atoi(arguments[1]) : rounds;
	CALL(Init_thread, 0, 0, NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
	CALL(Comm_rank, 0, 0, MPI_COMM_WORLD, &rank);
	CALL(Comm_size, 0, 0, MPI_COMM_WORLD, &size);
	check(provided == MPI_THREAD_MULTIPLE && size == 4,
	      "four ranks, threads that call at once");
	for (int i = 0; i < THREADS; i++)
		CALL(Comm_dup, 0, 0, MPI_COMM_WORLD, &parents[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, &parents[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		CALL(Comm_free, 0, 0, &parents[i]);
	return end();
}
