/* SPDX-License-Identifier: MIT */
/* A handler of the program at exactly one instruction of the profiler's in a call of MPI: of one
 * process, without a launcher. See interrupted.h.
 *
 * MPI itself must not be interrupted, left or copied in the middle, so its own code is passed over.
 * Nor do handlers send: messages of a handler that comes where the profiler counts nothing end
 * requests under handles that the program's have had. */
#include "../interrupted_tracer.h"

#include <mpi.h>

static volatile int tags;

static void ask_rank(void)
{
	int rank;

	DO(MPI_Comm_rank, MPI_Comm_rank(MPI_COMM_WORLD, &rank));
}

/* In vain. */
static void probe(void)
{
	int flag;

	DO(MPI_Iprobe, MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
}

/* To itself. With a tag of its own, so that a receive that was left gets nothing later. */
static void send_message(void)
{
	int in = 0, out = increment(&tags);
	MPI_Request receive, send;

	DO(MPI_Irecv, MPI_Irecv(&in, 1, MPI_INT, 0, out, MPI_COMM_WORLD, &receive));
	DO(MPI_Isend, MPI_Isend(&out, 1, MPI_INT, 0, out, MPI_COMM_WORLD, &send));
	DO(MPI_Wait, MPI_Wait(&send, MPI_STATUS_IGNORE));
	DO(MPI_Wait, MPI_Wait(&receive, MPI_STATUS_IGNORE));
	if (in != out)
		_exit(94);
}

static const struct operation operations[] = {
	{.name = "rank", .work = ask_rank, .again = ask_rank, .way = {.only_own = true}},
	{.name = "probe", .work = probe, .again = probe, .way = {.only_own = true}},
	{.name = "message", .work = send_message, .way = {.only_own = true}},
};

static void program_begin(void)
{
	MPI_Init(NULL, NULL);
}

static void program_renew(void)
{
}

static void program_end(void)
{
	MPI_Finalize();
}

int main(int count, char **words)
{
	return disturb_operation(operations, sizeof operations / sizeof *operations, count, words);
}
