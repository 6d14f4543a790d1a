/* SPDX-License-Identifier: MIT */
/* What single MPI calls cost, measured from inside of a job of any MPI.
 *
 *   mpi_operations NAME COUNT      rank 0 prints "MEDIAN BEST": ns per operation, over batches
 *
 * Batches of 500 operations: on a machine that others use too, some of them are undisturbed, and
 * the median of many is a steadier figure than the mean of all. `finalize` prints the instant
 * (CLOCK_MONOTONIC, s) at which the last rank enters MPI_Finalize. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 500, BATCHES_MOST = 4000, LARGE = 65536 };

static int rank, size;
static char sent[LARGE], received[LARGE];

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void comm_rank(void)
{
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

static void iprobe(void)
{
	int flag;

	MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void exchange(int bytes)
{
	if (rank == 0) {
		MPI_Send(sent, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
		MPI_Recv(received, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else if (rank == 1) {
		MPI_Recv(received, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(sent, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
	}
}

static void round_trip(void)
{
	exchange(8);
}

static void large_round_trip(void)
{
	exchange(LARGE);
}

static void allreduce(void)
{
	double one = 1, sum;

	MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void nonblocking(void)
{
	MPI_Request requests[2];

	MPI_Irecv(received, 8, MPI_BYTE, rank, 3, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(sent, 8, MPI_BYTE, rank, 3, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static const struct {
	const char *name;
	void (*function)(void);
	int calls; /* of MPI, of one rank */
} operations[] = {
	{"comm-rank", comm_rank, 1},   {"iprobe", iprobe, 1},
	{"round-trip", round_trip, 1}, {"large-round-trip", large_round_trip, 1},
	{"allreduce", allreduce, 1},   {"nonblocking", nonblocking, 3},
};

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static void measure(void (*function)(void), int calls, int count)
{
	static double batches[BATCHES_MOST];
	int wanted = count / BATCH < BATCHES_MOST ? count / BATCH : BATCHES_MOST;

	for (int i = 0; i < 3 * BATCH; i++)
		function();
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < wanted; i++) {
		double begin = now();
		for (int k = 0; k < BATCH; k++)
			function();
		batches[i] = (now() - begin) / BATCH / calls * 1e9;
	}
	qsort(batches, (size_t)wanted, sizeof *batches, compare);
	if (rank == 0)
		printf("%.2f %.2f\n", batches[wanted / 2], batches[0]);
}

static void tell_end(void)
{
	double entered, last;

	MPI_Barrier(MPI_COMM_WORLD);
	entered = now();
	MPI_Reduce(&entered, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.6f %d\n", last, size);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	int count = argc > 2 ? atoi(argv[2]) : 100000, found = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!strcmp(name, "finalize")) {
		tell_end();
		found = 1;
	}
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (!strcmp(name, operations[i].name)) {
			measure(operations[i].function, operations[i].calls, count);
			found = 1;
		}
	MPI_Finalize();
	return found ? 0 : 2;
}
