/* SPDX-License-Identifier: MIT */
/* Rank 1 works for twice as long as rank 0, which waits for it: load balance 75 %. With an argument
 * rank 0 first has two children started, which do the same. */
#include "mpi_truth.h"

int main(int count, char **arguments)
{
	MPI_Comm parent, children;
	int number;

	begin();
	CALL(Comm_get_parent, 0, 0, &parent);
	if (count > 1 && parent == MPI_COMM_NULL) {
		CALL(Comm_spawn, 0, 0, arguments[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0,
		     MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
		CALL(Barrier, 0, 0, children);
		CALL(Comm_disconnect, 0, 0, &children);
	} else if (parent != MPI_COMM_NULL) {
		CALL(Barrier, 0, 0, parent);
		CALL(Comm_disconnect, 0, 0, &parent);
	}
	CALL(Sendrecv, 4, 4, &rank, 1, MPI_INT, 1 - rank, 0, &number, 1, MPI_INT, 1 - rank, 0,
	     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	sent_to(1 - rank, 4);
	got_from(1 - rank, 4);
	for (int i = 0; i < 4; i++) {
		BURN(rank ? 0.02 : 0.01);
		CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	}
	return end();
}
