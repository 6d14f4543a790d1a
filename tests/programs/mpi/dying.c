/* SPDX-License-Identifier: MIT */
/* dying kill | abort | exit: after ten exchanges rank 1 dies of SIGKILL, calls MPI_Abort, or all
 * ranks leave without MPI_Finalize. The truth is written before that. */
#include "mpi_truth.h"

#include <signal.h>

int main(int count, char **arguments)
{
	const char *how = count > 1 ? arguments[1] : "exit";
	int out = 1, in = 0;

	begin();
	int other = 1 - rank;
	for (int i = 0; i < 10; i++) {
		CALL(Sendrecv, 4, 4, &out, 1, MPI_INT, other, 0, &in, 1, MPI_INT, other, 0,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		sent_to(other, 4);
		got_from(other, 4);
	}
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	tell();
	nap_raw(0.05); /* both have written it */
	if (!strcmp(how, "exit"))
		exit(0);
	if (rank == 1 && !strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	if (rank == 1)
		MPI_Abort(MPI_COMM_WORLD, 3);
	nap_raw(5); /* the launcher ends this rank */
	return 1;
}
