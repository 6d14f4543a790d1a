/* SPDX-License-Identifier: MIT */
/* Waits for four receives, of which the second and the third have no room for their message: with
 * MPI_ERRORS_RETURN the call fails, and what the others received is there all the same. MPICH's
 * MPI_Waitall may leave some for later: they are waited for one by one. */
#include "mpi_truth.h"

enum { MESSAGES = 4, INTS = 20, ROUNDS = 5, BYTES = INTS * sizeof(int) };

static int in[MESSAGES][INTS], out[INTS];
static MPI_Request requests[MESSAGES];
static MPI_Status statuses[MESSAGES];
static int left, right;

static bool is_short(int message)
{
	return message == 1 || message == 2;
}

static void post(void)
{
	for (int i = 0; i < MESSAGES; i++)
		CALL(Irecv, 0, 0, in[i], is_short(i) ? 1 : INTS, MPI_INT, left, i, MPI_COMM_WORLD,
		     &requests[i]);
	for (int i = 0; i < MESSAGES; i++) {
		CALL(Send, BYTES, 0, out, INTS, MPI_INT, right, i, MPI_COMM_WORLD);
		sent_to(right, BYTES);
	}
	CALL(Barrier, 0, 0, MPI_COMM_WORLD); /* all is there */
}

static void account_message(void)
{
	ALSO(Irecv, 0, BYTES);
	got_from(left, BYTES);
}

/* code: what a call that may fail returned. */
static void account_call(const char *name, int code)
{
	account(name, 1, 0, 0, 0);
	check(code == MPI_SUCCESS || code == MPI_ERR_IN_STATUS, "the call says who failed");
}

/* What a call has left. */
static void wait_for_rest(void)
{
	for (int i = 0; i < MESSAGES; i++) {
		if (requests[i] == MPI_REQUEST_NULL)
			continue;
		int code = MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
		account("MPI_Wait", 1, 0, 0, 0);
		check((code != MPI_SUCCESS) == is_short(i), "the right ones fail");
		if (code == MPI_SUCCESS)
			account_message();
	}
}

static void wait_for_all(MPI_Status *where)
{
	int before = 0;

	post();
	account_call("MPI_Waitall", MPI_Waitall(MESSAGES, requests, where));
	for (int i = 0; i < MESSAGES; i++)
		before += requests[i] == MPI_REQUEST_NULL && !is_short(i);
	for (int i = 0; i < before; i++)
		account_message();
	wait_for_rest();
}

static void wait_for_some(bool tests)
{
	int done = 0, indices[MESSAGES];

	post();
	while (done != MPI_UNDEFINED) {
		if (tests)
			account_call("MPI_Testsome",
				     MPI_Testsome(MESSAGES, requests, &done, indices, statuses));
		else
			account_call("MPI_Waitsome",
				     MPI_Waitsome(MESSAGES, requests, &done, indices, statuses));
		for (int i = 0; i < done; i++)
			if (!is_short(indices[i]))
				account_message();
	}
}

static void test_all(void)
{
	int flag = 0;

	post();
	while (!flag) {
		MPI_Request before[MESSAGES];
		memcpy(before, requests, sizeof before);
		account_call("MPI_Testall", MPI_Testall(MESSAGES, requests, &flag, statuses));
		for (int i = 0; i < MESSAGES; i++)
			if (requests[i] != before[i] && !is_short(i))
				account_message();
	}
}

int main(void)
{
	begin();
	left = (rank + size - 1) % size;
	right = (rank + 1) % size;
	CALL(Comm_set_errhandler, 0, 0, MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	for (int round = 0; round < ROUNDS; round++) {
		wait_for_all(statuses);
		wait_for_all(MPI_STATUSES_IGNORE);
		wait_for_some(false);
		wait_for_some(true);
		test_all();
	}
	return end();
}
