/* SPDX-License-Identifier: MIT */
/* Persistent requests, which are started several times, and every call that completes requests,
 * with statuses that are wanted (their contents must be right) and that are not. Two ranks. */
#include "mpi_truth.h"

enum { N = 8, BYTES = N * 4, MANY = 6 };
static int out[MANY][N], in[MANY][N];
static MPI_Request requests[MANY];
static MPI_Status statuses[MANY];
static int other;

static void check_status(const MPI_Status *status, int tag)
{
	int count = -1;

	CALL(Get_count, 0, 0, status, MPI_INT, &count);
	check(status->MPI_SOURCE == other && status->MPI_TAG == tag && count == N, "a status");
}

static void exchanged(int times)
{
	for (int i = 0; i < times; i++)
		rank == 0 ? sent_to(other, BYTES) : got_from(other, BYTES);
}

/* Started three times one by one and twice together. */
static void persistent(void)
{
	MPI_Request pair[2];

	for (int i = 0; i < 2; i++)
		if (rank == 0)
			CALL(Send_init, 0, 0, out[i], N, MPI_INT, other, i, MPI_COMM_WORLD,
			     &pair[i]);
		else
			CALL(Recv_init, 0, 0, in[i], N, MPI_INT, other, i, MPI_COMM_WORLD,
			     &pair[i]);
	for (int i = 0; i < 3; i++) {
		CALL(Start, 0, 0, &pair[0]);
		CALL(Wait, 0, 0, &pair[0], &statuses[0]);
		if (rank == 1)
			check_status(&statuses[0], 0);
	}
	for (int i = 0; i < 2; i++) {
		CALL(Startall, 0, 0, 2, pair);
		CALL(Waitall, 0, 0, 2, pair, i ? MPI_STATUSES_IGNORE : statuses);
	}
	if (rank == 0)
		ALSO(Send_init, 7 * BYTES, 0);
	else
		ALSO(Recv_init, 0, 7 * BYTES);
	exchanged(7);
	CALL(Wait, 0, 0, &pair[0], MPI_STATUS_IGNORE); /* inactive: returns at once */
	CALL(Request_free, 0, 0, &pair[0]);
	CALL(Request_free, 0, 0, &pair[1]);
}

/* Rank 1 receives MANY messages, rank 0 sends them. */
static void post(void)
{
	for (int i = 0; i < MANY; i++)
		if (rank == 0)
			CALL(Isend, BYTES, 0, out[i], N, MPI_INT, other, i, MPI_COMM_WORLD,
			     &requests[i]);
		else
			CALL(Irecv, 0, BYTES, in[i], N, MPI_INT, other, i, MPI_COMM_WORLD,
			     &requests[i]);
	exchanged(MANY);
}

static void with_waitany(void)
{
	int index;

	post();
	for (int i = 0; i < MANY; i++) {
		CALL(Waitany, 0, 0, MANY, requests, &index,
		     i % 2 ? MPI_STATUS_IGNORE : &statuses[0]);
		if (rank == 1 && i % 2 == 0)
			check_status(&statuses[0], index);
	}
	CALL(Waitany, 0, 0, MANY, requests, &index, MPI_STATUS_IGNORE);
	check(index == MPI_UNDEFINED, "MPI_Waitany without requests");
}

static void with_waitsome(bool ignore)
{
	int done = 0, count, indices[MANY];

	post();
	while (done < MANY) {
		CALL(Waitsome, 0, 0, MANY, requests, &count, indices,
		     ignore ? MPI_STATUSES_IGNORE : statuses);
		for (int i = 0; i < count && rank == 1 && !ignore; i++)
			check_status(&statuses[i], indices[i]);
		done += count;
	}
}

static void with_tests(void)
{
	int flag, index, count, indices[MANY];

	post();
	for (flag = 0; !flag;)
		CALL(Testall, 0, 0, MANY, requests, &flag, statuses);
	for (int i = 0; i < MANY && rank == 1; i++)
		check_status(&statuses[i], i);
	post();
	for (int done = 0; done < MANY; done += flag) {
		CALL(Testany, 0, 0, MANY, requests, &index, &flag, &statuses[0]);
		if (flag && rank == 1)
			check_status(&statuses[0], index);
	}
	post();
	for (int done = 0; done < MANY; done += count) {
		CALL(Testsome, 0, 0, MANY, requests, &count, indices, statuses);
		for (int i = 0; i < count && rank == 1; i++)
			check_status(&statuses[i], indices[i]);
	}
	post();
	for (int i = 0; i < MANY; i++)
		for (flag = 0; !flag;)
			CALL(Test, 0, 0, &requests[i], &flag, MPI_STATUS_IGNORE);
}

static void given_up(void)
{
	MPI_Request request;
	int flag = 0;

	if (rank == 0) { /* the request is freed, the message arrives all the same */
		CALL(Isend, BYTES, 0, out[0], N, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
		CALL(Request_free, 0, 0, &request);
	} else {
		CALL(Recv, 0, BYTES, in[0], N, MPI_INT, other, 0, MPI_COMM_WORLD, &statuses[0]);
		check_status(&statuses[0], 0);
		CALL(Irecv, 0, 0, in[0], N, MPI_INT, other, 99, MPI_COMM_WORLD, &request);
		CALL(Cancel, 0, 0, &request);
		CALL(Wait, 0, 0, &request, &statuses[0]);
		CALL(Test_cancelled, 0, 0, &statuses[0], &flag);
		check(flag, "a cancelled receive");
	}
	exchanged(1);
	request = MPI_REQUEST_NULL;
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	CALL(Waitall, 0, 0, 0, NULL, MPI_STATUSES_IGNORE);
}

int main(void)
{
	begin();
	other = 1 - rank;
	for (int i = 0; i < MANY * N; i++)
		out[i / N][i % N] = i;
	persistent();
	post();
	CALL(Waitall, 0, 0, MANY, requests, statuses);
	with_waitany();
	with_waitsome(false);
	with_waitsome(true);
	with_tests();
	given_up();
	check(rank == 0 || in[MANY - 1][N - 1] == MANY * N - 1, "the data");
	return end();
}
