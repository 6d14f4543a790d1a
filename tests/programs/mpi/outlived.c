/* SPDX-License-Identifier: MIT */
/* Two ranks: what the program frees while it is still in use. Communicators are freed with a
 * receive under way, and while a window made for them lives; another communicator takes the handle
 * at once. The ranks there run backwards. Then the root of a gather between two groups, whose own
 * arguments for what is sent are ignored; and persistent requests made while recording is off. */
#include "mpi_truth.h"

enum { N = 10, BYTES = N * 4 };
static int data[N], more[N];

static MPI_Comm backwards(void)
{
	MPI_Comm made;

	CALL(Comm_split, 0, 0, MPI_COMM_WORLD, 0, -rank, &made);
	return made;
}

static void receive_on_freed(void)
{
	for (int i = 0; i < 3; i++) {
		MPI_Comm comm = backwards(), next;
		MPI_Request request;
		if (rank == 0)
			CALL(Irecv, 0, BYTES, data, N, MPI_INT, MPI_ANY_SOURCE, 0, comm, &request);
		else
			CALL(Isend, BYTES, 0, data, N, MPI_INT, 1, 0, comm, &request);
		CALL(Comm_free, 0, 0, &comm);
		CALL(Comm_dup, 0, 0, MPI_COMM_WORLD, &next);
		CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
		CALL(Comm_free, 0, 0, &next);
		if (rank == 0)
			got_from(1, BYTES);
		else
			sent_to(0, BYTES);
	}
}

static void put_through_freed(void)
{
	MPI_Comm comm = backwards(), next;
	MPI_Win window;

	CALL(Win_create, 0, 0, more, sizeof more, sizeof *more, MPI_INFO_NULL, comm, &window);
	CALL(Comm_free, 0, 0, &comm);
	CALL(Comm_dup, 0, 0, MPI_COMM_WORLD, &next);
	CALL(Win_fence, 0, 0, 0, window);
	if (rank == 0) {
		CALL(Put, BYTES, 0, data, N, MPI_INT, 0, 0, N, MPI_INT, window);
		sent_to(1, BYTES);
	}
	CALL(Win_fence, 0, 0, 0, window);
	CALL(Win_free, 0, 0, &window);
	CALL(Comm_free, 0, 0, &next);
}

static void gather_between_groups(void)
{
	MPI_Comm alone, both;

	CALL(Comm_split, 0, 0, MPI_COMM_WORLD, rank, 0, &alone);
	CALL(Intercomm_create, 0, 0, alone, 0, MPI_COMM_WORLD, 1 - rank, 7, &both);
	if (rank == 0)
		CALL(Gather, 0, BYTES, NULL, 4, MPI_DATATYPE_NULL, data, N, MPI_INT, MPI_ROOT,
		     both);
	else
		CALL(Gather, BYTES, 0, data, N, MPI_INT, NULL, 4, MPI_DATATYPE_NULL, 0, both);
	CALL(Comm_free, 0, 0, &both);
	CALL(Comm_free, 0, 0, &alone);
}

static void start_what_was_made_unrecorded(void)
{
	MPI_Request request;

	MPI_Pcontrol(0);
	if (rank == 0)
		MPI_Send_init(data, N, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
	else
		MPI_Recv_init(data, N, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
	MPI_Pcontrol(1);
	for (int i = 0; i < 3; i++) {
		CALL(Start, 0, 0, &request);
		CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
		if (rank == 0) {
			ALSO(Send_init, BYTES, 0);
			sent_to(1, BYTES);
		} else {
			ALSO(Recv_init, 0, BYTES);
			got_from(0, BYTES);
		}
	}
	CALL(Request_free, 0, 0, &request);
}

int main(void)
{
	begin();
	receive_on_freed();
	put_through_freed();
	gather_between_groups();
	start_what_was_made_unrecorded();
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	return end();
}
