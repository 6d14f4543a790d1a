/* SPDX-License-Identifier: MIT */
/* MPI without MPI_Init: a session, and a communicator out of its process set. */
#include "mpi_truth.h"

int main(void)
{
	MPI_Session session;
	MPI_Group group;
	MPI_Comm comm;
	int one = 1, sum = 0;

	CALL(Session_init, 0, 0, MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	CALL(Group_from_session_pset, 0, 0, session, "mpi://WORLD", &group);
	CALL(Comm_create_from_group, 0, 0, group, "ptrace", MPI_INFO_NULL, MPI_ERRORS_RETURN,
	     &comm);
	CALL(Comm_rank, 0, 0, comm, &rank);
	CALL(Comm_size, 0, 0, comm, &size);
	for (int i = 0; i < 5; i++)
		CALL(Allreduce, 4, 4, &one, &sum, 1, MPI_INT, MPI_SUM, comm);
	check(sum == size, "MPI_Allreduce in a session");
	CALL(Comm_free, 0, 0, &comm);
	CALL(Group_free, 0, 0, &group);
	CALL(Session_finalize, 0, 0, &session);
	tell();
	return mistakes ? 1 : 0;
}
