/* SPDX-License-Identifier: MIT */
/* Ranks that are attached to while they go round a ring: a persistent receive that was made before,
 * a reduction over all, and a short sleep. Until the file that the argument names is there. */
#include "mpi_truth.h"

enum { BYTES = 100 };

int main(int count, char **arguments)
{
	char in[BYTES], out[BYTES] = {0};
	int stop = 0, any = 0;
	MPI_Request request;

	if (count < 2)
		return 2;
	begin();
	CALL(Recv_init, 0, 0, in, BYTES, MPI_CHAR, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
	     &request);
	if (rank == 0) {
		puts("ready");
		fflush(stdout);
	}
	while (!any) {
		CALL(Start, 0, 0, &request);
		CALL(Send, BYTES, 0, out, BYTES, MPI_CHAR, (rank + 1) % size, 1, MPI_COMM_WORLD);
		CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
		usleep(2000);
		stop = access(arguments[1], F_OK) == 0;
		CALL(Allreduce, 4, 4, &stop, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	}
	CALL(Request_free, 0, 0, &request);
	return end();
}
