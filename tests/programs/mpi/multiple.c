/* SPDX-License-Identifier: MIT */
/* MPI_THREAD_MULTIPLE: four threads of each of two ranks exchange messages at once, each with the
 * thread of the same number, and complete requests of their own. */
#include "mpi_truth.h"

enum { THREADS = 4, ROUNDS = 200, N = 25, BYTES = N * 4 };

static void exchange(int thread, int other)
{
	int out[N], in[N];
	MPI_Request requests[2];

	for (int i = 0; i < N; i++)
		out[i] = thread * 1000 + rank;
	for (int round = 0; round < ROUNDS; round++) {
		CALL(Irecv, 0, BYTES, in, N, MPI_INT, other, thread, MPI_COMM_WORLD, &requests[0]);
		CALL(Isend, BYTES, 0, out, N, MPI_INT, other, thread, MPI_COMM_WORLD, &requests[1]);
		CALL(Waitall, 0, 0, 2, requests, MPI_STATUSES_IGNORE);
		sent_to(other, BYTES);
		got_from(other, BYTES);
		check(in[N - 1] == thread * 1000 + other, "the data of a thread");
	}
}

static void *run(void *number)
{
	exchange((int)(long)number, 1 - rank);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	int provided;

	CALL(Init_thread, 0, 0, NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
	CALL(Comm_rank, 0, 0, MPI_COMM_WORLD, &rank);
	CALL(Comm_size, 0, 0, MPI_COMM_WORLD, &size);
	check(provided == MPI_THREAD_MULTIPLE, "MPI_THREAD_MULTIPLE is there");
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return end();
}
