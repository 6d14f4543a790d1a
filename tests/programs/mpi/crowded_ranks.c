/* SPDX-License-Identifier: MIT */
/* crowded_ranks [late]: all ranks have the same work, 20 ms of CPU time in each of twelve rounds,
 * and add up a number after it: with more ranks than processors they wait for these. With `late`
 * nobody works, and rank 1 sleeps for 60 ms in each round: whoever polls for it may do so without a
 * processor as well. */
#include "mpi_truth.h"

enum { ROUNDS = 12 };

static NOINLINE void one_round(bool is_late_one)
{
	double sum = 0, one = 1;

	if (is_late_one && rank == 1)
		usleep(60000);
	if (!is_late_one)
		BURN(0.02);
	CALL(Allreduce, 8, 8, &one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	check(sum == size, "the sum of MPI_Allreduce");
	KEEP;
}

int main(int argc, char **argv)
{
	begin();
	for (int i = 0; i < ROUNDS; i++)
		one_round(argc > 1 && !strcmp(argv[1], "late"));
	(void)argv;
	return end();
}
