/* SPDX-License-Identifier: MIT */
/* even_ranks [SECONDS]: two ranks with equal work, by the clock, so that no other program makes it
 * unequal, which exchange a message of 4 KiB and add up a number after each piece. Nothing that a
 * finding could blame but the start of MPI. SECONDS: of CPU time, in each piece besides. */
#include "mpi_truth.h"

enum { PIECES = 8, NUMBERS = 512, BYTES = NUMBERS * 8 };
static double out[NUMBERS], in[NUMBERS], burnt;

static NOINLINE void work_and_exchange(int other)
{
	double sum = 0, one = 1;

	nap_raw(0.06);
	BURN(burnt);
	CALL(Sendrecv, BYTES, BYTES, out, NUMBERS, MPI_DOUBLE, other, 1, in, NUMBERS, MPI_DOUBLE,
	     other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	sent_to(other, BYTES);
	got_from(other, BYTES);
	CALL(Allreduce, 8, 8, &one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	check(sum == size, "the sum of MPI_Allreduce");
	KEEP;
}

int main(int argc, char **argv)
{
	burnt = argc > 1 ? atof(argv[1]) : 0;
	begin();
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	for (int i = 0; i < PIECES; i++)
		work_and_exchange(1 - rank);
	return end();
}
