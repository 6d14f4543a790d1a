/* SPDX-License-Identifier: MIT */
/* Two ranks exchange while they compute: the requests are in flight for 40 ms of work, and the
 * waits are short (overlap); then rank 1 sends 40 ms late while rank 0 does nothing but wait
 * (none). Facts: time in flight, and in the waits, of the receives of either kind on rank 0. */
#include "mpi_truth.h"

enum { NUMBERS = 50, BYTES = NUMBERS * 8 };
static double out[NUMBERS], in[NUMBERS];

static NOINLINE void exchange_and_work(int other)
{
	MPI_Request requests[2];

	CALL(Irecv, 0, BYTES, in, NUMBERS, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &requests[0]);
	double posted = now();
	CALL(Isend, BYTES, 0, out, NUMBERS, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &requests[1]);
	SPIN(0.04);
	double waiting = now();
	CALL(Waitall, 0, 0, 2, requests, MPI_STATUSES_IGNORE);
	double end = now();
	truth("overlapped_flight", end - posted);
	truth("overlapped_finish", end - waiting);
	sent_to(other, BYTES);
	got_from(other, BYTES);
	KEEP;
}

static NOINLINE void wait_idly(void)
{
	MPI_Request request;

	CALL(Irecv, 0, BYTES, in, NUMBERS, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, &request);
	double posted = now();
	double waiting = now(); /* much later where the processor was lost in between */
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	double end = now();
	truth("idle_flight", end - posted);
	truth("idle_finish", end - waiting);
	got_from(1, BYTES);
	KEEP;
}

int main(void)
{
	begin();
	for (int i = 0; i < NUMBERS; i++)
		out[i] = i;
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	exchange_and_work(1 - rank);
	check(in[NUMBERS - 1] == NUMBERS - 1, "the data of an exchange");
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	if (rank == 0) {
		wait_idly();
	} else {
		nap_raw(0.04);
		CALL(Send, BYTES, 0, out, NUMBERS, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
		sent_to(0, BYTES);
	}
	return end();
}
