/* SPDX-License-Identifier: MIT */
/* Communicators that their members make alone, in a loop: of a group, and between two groups. On
 * each the last rank is late for an MPI_Allreduce. */
#include "mpi_truth.h"

enum { ROUNDS = 10, LATE_US = 2000 };

static void use(MPI_Comm comm)
{
	int one = 1, sum;

	if (rank == size - 1)
		usleep(LATE_US);
	CALL(Allreduce, 4, 4, &one, &sum, 1, MPI_INT, MPI_SUM, comm);
}

/* All but rank 0, which makes others meanwhile. */
static void of_a_group(void)
{
	MPI_Group world, part;
	int first[1] = {0};

	CALL(Comm_group, 0, 0, MPI_COMM_WORLD, &world);
	if (rank)
		CALL(Group_excl, 0, 0, world, 1, first, &part);
	else
		CALL(Group_incl, 0, 0, world, 1, first, &part);
	for (int i = 0; i < (rank ? ROUNDS : 5); i++) {
		MPI_Comm comm;
		CALL(Comm_create_group, 0, 0, MPI_COMM_WORLD, part, 3, &comm);
		use(comm);
		use(comm);
		CALL(Comm_free, 0, 0, &comm);
	}
	CALL(Group_free, 0, 0, &part);
	CALL(Group_free, 0, 0, &world);
}

/* Rank 0 and the others. */
static void between_two(void)
{
	MPI_Comm side, both, merged;

	CALL(Comm_split, 0, 0, MPI_COMM_WORLD, !rank, rank, &side);
	for (int i = 0; i < ROUNDS; i++) {
		CALL(Intercomm_create, 0, 0, side, 0, MPI_COMM_WORLD, rank ? 0 : 1, 7, &both);
		use(both);
		CALL(Intercomm_merge, 0, 0, both, rank != 0, &merged);
		use(merged);
		CALL(Comm_free, 0, 0, &merged);
		CALL(Comm_free, 0, 0, &both);
	}
	CALL(Comm_free, 0, 0, &side);
}

int main(void)
{
	begin();
	of_a_group();
	between_two();
	return end();
}
