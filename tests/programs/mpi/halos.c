/* SPDX-License-Identifier: MIT */
/* An exchange with both neighbours of a ring, in which rank 0 is late in each step. Which call
 * waits for the messages is the argument: "all" for all requests at once, "any" for the receives in
 * the order in which they come, and for the sends at once. Of two ranks both neighbours are the
 * same one. */
#include "mpi_truth.h"

enum { STEPS = 12, BYTES = 1000, LATE_US = 10000 };

static char in[2][BYTES], out[2][BYTES];
static MPI_Request requests[4];

static void post(int left, int right)
{
	int sides[2] = {left, right};

	for (int i = 0; i < 2; i++) {
		CALL(Irecv, 0, BYTES, in[i], BYTES, MPI_CHAR, sides[i], i, MPI_COMM_WORLD,
		     &requests[i]);
		got_from(sides[i], BYTES);
	}
	if (rank == 0)
		usleep(LATE_US);
	for (int i = 0; i < 2; i++) {
		CALL(Isend, BYTES, 0, out[i], BYTES, MPI_CHAR, sides[i], 1 - i, MPI_COMM_WORLD,
		     &requests[2 + i]);
		sent_to(sides[i], BYTES);
	}
}

static void wait_for_any(void)
{
	int index;

	for (int i = 0; i < 2; i++)
		CALL(Waitany, 0, 0, 2, requests, &index, MPI_STATUS_IGNORE);
}

int main(int count, char **arguments)
{
	const char *how = count > 1 ? arguments[1] : "all";

	begin();
	for (int step = 0; step < STEPS; step++) {
		post((rank + size - 1) % size, (rank + 1) % size);
		if (!strcmp(how, "any"))
			wait_for_any();
		CALL(Waitall, 0, 0, 4, requests, MPI_STATUSES_IGNORE);
		CALL(Barrier, 0, 0, MPI_COMM_WORLD); /* nobody runs ahead */
	}
	return end();
}
