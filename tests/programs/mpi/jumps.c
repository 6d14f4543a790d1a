/* SPDX-License-Identifier: MIT */
/* An error handler that leaves the call by longjmp: those calls never return, and others go on. */
#include "mpi_truth.h"

#include <setjmp.h>

enum { ROUNDS = 20 };

static jmp_buf place;

static void jump(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	longjmp(place, 1);
}

int main(void)
{
	volatile int jumps = 0;
	int sum = 0, one = 1;
	MPI_Errhandler handler;

	begin();
	CALL(Comm_create_errhandler, 0, 0, jump, &handler);
	CALL(Comm_set_errhandler, 0, 0, MPI_COMM_WORLD, handler);
	for (volatile int i = 0; i < ROUNDS; i++) {
		account("MPI_Send", 1, 0, 0, 0);
		if (setjmp(place))
			jumps++;
		else
			MPI_Send(&one, 1, MPI_INT, size + 3, 1, MPI_COMM_WORLD); /* no such rank */
	}
	check(jumps == ROUNDS, "each call was left");
	CALL(Allreduce, 4, 4, &one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	check(sum == size, "a sum over all ranks");
	return end();
}
