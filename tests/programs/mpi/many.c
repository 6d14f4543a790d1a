/* SPDX-License-Identifier: MIT */
/* many [ROUNDS]: two ranks with 10,000 receives and 10,000 sends under way at once, completed by
 * one MPI_Waitall; that many times, one by default. */
#include "mpi_truth.h"

enum { MANY = 10000 };
static int out[MANY], in[MANY];
static MPI_Request requests[2 * MANY];

static void exchange(int other)
{
	for (int i = 0; i < MANY; i++) {
		out[i] = i;
		CALL(Irecv, 0, 4, &in[i], 1, MPI_INT, other, i % 100, MPI_COMM_WORLD, &requests[i]);
		got_from(other, 4);
	}
	for (int i = 0; i < MANY; i++) {
		CALL(Isend, 4, 0, &out[i], 1, MPI_INT, other, i % 100, MPI_COMM_WORLD,
		     &requests[MANY + i]);
		sent_to(other, 4);
	}
	CALL(Waitall, 0, 0, 2 * MANY, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	begin();
	for (int i = 0; i < rounds; i++)
		exchange(1 - rank);
	check(in[MANY - 1] == MANY - 1, "the data");
	return end();
}
