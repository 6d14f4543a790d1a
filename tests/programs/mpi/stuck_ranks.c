/* SPDX-License-Identifier: MIT */
/* Jobs that make no progress, and one that polls: the first argument says which. An alarm ends each
 * rank; rank 0 says by the file READY_FILE that a second has passed since all began. */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIFE_S = 15, TAG = 7 };

static int rank, value;

static void say_ready(int number)
{
	const char *path = getenv("READY_FILE");

	(void)number;
	if (path && rank == 0)
		close(open(path, O_CREAT | O_WRONLY, 0600));
	signal(SIGALRM, SIG_DFL);
	alarm(LIFE_S);
}

/* Each waits for a message of the other. */
__attribute__((noinline)) static void receive_both(void)
{
	MPI_Recv(&value, 1, MPI_INT, !rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The same by requests. */
__attribute__((noinline)) static void wait_both(void)
{
	MPI_Request request;

	MPI_Irecv(&value, 1, MPI_INT, !rank, TAG, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Rank 1 wants a message before it comes to the barrier. */
static void barrier_missing(void)
{
	if (rank == 1)
		MPI_Recv(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 1 computes, and rank 0 polls for its message. */
static void poll_one(void)
{
	volatile unsigned long sum = 0;
	int flag = 0;

	for (;;)
		if (rank == 1)
			++sum;
		else
			MPI_Iprobe(1, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

/* Rank 0 waits in a call for rank 1, which computes. */
__attribute__((noinline, no_icf)) static void late_one(void)
{
	volatile unsigned long sum = 0;

	while (rank == 1)
		++sum;
	MPI_Recv(&value, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int count, char **words)
{
	const char *what = count > 1 ? words[1] : "";

	MPI_Init(&count, &words);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	signal(SIGALRM, say_ready);
	alarm(2);
	if (!strcmp(what, "receive"))
		receive_both();
	else if (!strcmp(what, "wait"))
		wait_both();
	else if (!strcmp(what, "barrier"))
		barrier_missing();
	else if (!strcmp(what, "poll"))
		poll_one();
	else if (!strcmp(what, "late"))
		late_one();
	MPI_Finalize();
	return 0;
}
