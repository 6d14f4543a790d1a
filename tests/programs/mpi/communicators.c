/* SPDX-License-Identifier: MIT */
/* Four ranks and communicators of every origin. The ranks that messages name are those of the
 * communicator; the peers that are told are ranks of the job. */
#include "mpi_truth.h"

static int one = 1, sum;

static void used(MPI_Comm comm, int members)
{
	CALL(Allreduce, 4, 4, &one, &sum, 1, MPI_INT, MPI_SUM, comm);
	check(sum == members, "the size of a communicator");
}

/* Rank 0 and 2, 1 and 3: each pair's first sends to its second, whose rank there is 1. */
static void split(void)
{
	MPI_Comm half, same;
	int number = rank;

	CALL(Comm_split, 0, 0, MPI_COMM_WORLD, rank % 2, rank, &half);
	used(half, 2);
	if (rank < 2) {
		CALL(Send, 4, 0, &number, 1, MPI_INT, 1, 0, half);
		sent_to(rank + 2, 4);
	} else {
		CALL(Recv, 0, 4, &number, 1, MPI_INT, MPI_ANY_SOURCE, 0, half, MPI_STATUS_IGNORE);
		got_from(rank - 2, 4);
		check(number == rank - 2, "a message in a half");
	}
	CALL(Comm_dup, 0, 0, half, &same);
	used(same, 2);
	CALL(Comm_free, 0, 0, &half);
	CALL(Comm_free, 0, 0, &same);
	CALL(Comm_split, 0, 0, MPI_COMM_WORLD, rank ? 1 : MPI_UNDEFINED, 0, &half);
	if (rank) {
		used(half, 3);
		CALL(Comm_free, 0, 0, &half);
	}
}

static void made_of_groups(void)
{
	MPI_Group world, last;
	MPI_Comm comm;
	int ranks[] = {2, 3};

	CALL(Comm_group, 0, 0, MPI_COMM_WORLD, &world);
	CALL(Group_incl, 0, 0, world, 2, ranks, &last);
	CALL(Comm_create, 0, 0, MPI_COMM_WORLD, last, &comm);
	if (rank >= 2) {
		used(comm, 2);
		CALL(Comm_free, 0, 0, &comm);
		CALL(Comm_create_group, 0, 0, MPI_COMM_WORLD, last, 5, &comm);
		used(comm, 2);
		CALL(Comm_free, 0, 0, &comm);
	}
	CALL(Group_free, 0, 0, &last);
	CALL(Group_free, 0, 0, &world);
}

static void copied(void)
{
	MPI_Comm comm, shared;
	MPI_Request request;

	CALL(Comm_idup, 0, 0, MPI_COMM_WORLD, &comm, &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	used(comm, 4);
	CALL(Comm_split_type, 0, 0, comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
	used(shared, 4);
	CALL(Comm_free, 0, 0, &shared);
	CALL(Comm_free, 0, 0, &comm);
}

/* A square; each row makes a communicator. */
static void grid(void)
{
	MPI_Comm square, row;
	int lengths[] = {2, 2}, periods[] = {1, 1}, keep[] = {0, 1};

	CALL(Cart_create, 0, 0, MPI_COMM_WORLD, 2, lengths, periods, 0, &square);
	used(square, 4);
	CALL(Cart_sub, 0, 0, square, keep, &row);
	used(row, 2);
	CALL(Comm_free, 0, 0, &row);
	CALL(Comm_free, 0, 0, &square);
}

/* Ranks 0 and 1 face 2 and 3: rank i of the one side means rank i of the other. */
static void two_sides(void)
{
	MPI_Comm side, both, merged;
	int number = rank, is_right = rank >= 2, partner = is_right ? rank - 2 : rank + 2, all[2];

	CALL(Comm_split, 0, 0, MPI_COMM_WORLD, is_right, rank, &side);
	CALL(Intercomm_create, 0, 0, side, 0, MPI_COMM_WORLD, is_right ? 0 : 2, 9, &both);
	CALL(Sendrecv, 4, 4, &rank, 1, MPI_INT, rank % 2, 1, &number, 1, MPI_INT, rank % 2, 1, both,
	     MPI_STATUS_IGNORE);
	check(number == partner, "a message between communicators");
	sent_to(partner, 4);
	got_from(partner, 4);
	CALL(Allgather, 4, 8, &rank, 1, MPI_INT, all, 1, MPI_INT, both);
	check(all[0] == (is_right ? 0 : 2), "MPI_Allgather between communicators");
	CALL(Intercomm_merge, 0, 0, both, is_right, &merged);
	used(merged, 4);
	CALL(Comm_free, 0, 0, &merged);
	CALL(Comm_free, 0, 0, &both);
	CALL(Comm_free, 0, 0, &side);
}

int main(void)
{
	begin();
	split();
	made_of_groups();
	copied();
	grid();
	two_sides();
	used(MPI_COMM_SELF, 1);
	return end();
}
