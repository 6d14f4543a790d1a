/* SPDX-License-Identifier: MIT */
/* Communicators made, used and freed in a loop, then many that are alive at once; last the world
 * again. Arguments: how many in the loop, how many alive. */
#include "mpi_truth.h"

static int next_rank, last_rank;

static void use(MPI_Comm comm)
{
	int one = 1, sum, all[PEERS_MOST], number = rank;

	CALL(Allreduce, 4, 4, &one, &sum, 1, MPI_INT, MPI_SUM, comm);
	check(sum == size, "the size of a communicator");
	CALL(Allgather, 4, 4LL * size, &one, 1, MPI_INT, all, 1, MPI_INT, comm);
	CALL(Sendrecv, 4, 4, &rank, 1, MPI_INT, next_rank, 0, &number, 1, MPI_INT, last_rank, 0,
	     comm, MPI_STATUS_IGNORE);
	check(number == last_rank, "a message in a communicator");
	sent_to(next_rank, 4);
	got_from(last_rank, 4);
	CALL(Barrier, 0, 0, comm);
}

static void one_after_the_other(int count)
{
	for (int i = 0; i < count; i++) {
		MPI_Comm copy;
		CALL(Comm_dup, 0, 0, MPI_COMM_WORLD, &copy);
		use(copy);
		CALL(Comm_free, 0, 0, &copy);
	}
}

static void all_at_once(int count)
{
	MPI_Comm *copies = calloc((size_t)count + 1, sizeof *copies);

	for (int i = 0; i < count; i++)
		CALL(Comm_dup, 0, 0, MPI_COMM_WORLD, &copies[i]);
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < count; i++)
			use(copies[i]);
	for (int i = 0; i < count; i++)
		CALL(Comm_free, 0, 0, &copies[i]);
	free(copies);
}

int main(int count, char **arguments)
{
	begin();
	next_rank = (rank + 1) % size;
	last_rank = (rank + size - 1) % size;
	one_after_the_other(count > 1 ? atoi(arguments[1]) : 1500);
	all_at_once(count > 2 ? atoi(arguments[2]) : 700);
	for (int i = 0; i < 100; i++)
		use(MPI_COMM_WORLD);
	return end();
}
