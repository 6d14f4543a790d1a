/* SPDX-License-Identifier: MIT */
/* Messages of known sizes, at and beside powers of two: blocking, repeated, nonblocking,
 * persistent, to nobody; collective calls; one-sided ones. Two ranks. Facts: CALL/BIN, how many
 * messages of that call have more than 2^BIN and up to 2^(BIN + 1) bytes (bin 0: up to 2). */
#include "mpi_truth.h"

enum { MOST = 1 << 17, SIZES = 12, FACTS = 256 };
static const int sizes[SIZES] = {0, 1, 2, 3, 4, 64, 65, 4096, 4097, 65536, 65537, MOST};
static char out[2 * MOST], in[2 * MOST];
static int other;
static struct fact {
	char name[48];
	int count;
} facts[FACTS];

static void tell_size(const char *call, int bytes)
{
	struct fact *fact = facts;
	char name[sizeof fact->name];
	int bin = 0;

	while (bytes > 2 << bin)
		bin++;
	snprintf(name, sizeof name, "%s/%d", call, bin);
	while (fact->count && strcmp(fact->name, name))
		fact++;
	if (fact == facts + FACTS - 1)
		abort();
	strcpy(fact->name, name);
	fact->count++;
}

static void exchanged(const char *send, const char *receive, int bytes)
{
	tell_size(rank == 0 ? send : receive, bytes);
	rank == 0 ? sent_to(other, bytes) : got_from(other, bytes);
}

static void blocking(int bytes)
{
	for (int i = 0; i < 3; i++) {
		if (rank == 0)
			CALL(Send, bytes, 0, out, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD);
		else
			CALL(Recv, 0, bytes, in, MOST, MPI_CHAR, other, 0, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		exchanged("MPI_Send", "MPI_Recv", bytes);
	}
	CALL(Sendrecv, bytes, bytes, out, bytes, MPI_CHAR, other, 1, in, bytes, MPI_CHAR, other, 1,
	     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int i = 0; i < 2; i++)
		tell_size("MPI_Sendrecv", bytes);
	sent_to(other, bytes);
	got_from(other, bytes);
}

static void nonblocking(int bytes)
{
	MPI_Request request;

	if (rank == 0)
		CALL(Isend, bytes, 0, out, bytes, MPI_CHAR, other, 2, MPI_COMM_WORLD, &request);
	else
		CALL(Irecv, 0, bytes, in, MOST, MPI_CHAR, other, 2, MPI_COMM_WORLD, &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	exchanged("MPI_Isend", "MPI_Irecv", bytes);
}

static void persistent(int bytes)
{
	MPI_Request request;

	if (rank == 0)
		CALL(Send_init, 2 * bytes, 0, out, bytes, MPI_CHAR, other, 3, MPI_COMM_WORLD,
		     &request);
	else
		CALL(Recv_init, 0, 2 * bytes, in, MOST, MPI_CHAR, other, 3, MPI_COMM_WORLD,
		     &request);
	for (int i = 0; i < 2; i++) {
		CALL(Start, 0, 0, &request);
		CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
		exchanged("MPI_Send_init", "MPI_Recv_init", bytes);
	}
	CALL(Request_free, 0, 0, &request);
}

/* No message at all. */
static void with_nobody(int bytes)
{
	MPI_Request requests[2];

	CALL(Send, 0, 0, out, bytes, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
	CALL(Recv, 0, 0, in, MOST, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	CALL(Irecv, 0, 0, in, MOST, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
	CALL(Isend, 0, 0, out, bytes, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[1]);
	CALL(Waitall, 0, 0, 2, requests, MPI_STATUSES_IGNORE);
	CALL(Send_init, 0, 0, out, bytes, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
	CALL(Start, 0, 0, &requests[0]);
	CALL(Wait, 0, 0, &requests[0], MPI_STATUS_IGNORE);
	CALL(Request_free, 0, 0, &requests[0]);
}

static void collective(int bytes)
{
	MPI_Request request;

	for (int i = 0; i < 3; i++) {
		CALL(Allreduce, bytes, bytes, out, in, bytes, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
		tell_size("MPI_Allreduce", bytes);
	}
	CALL(Bcast, rank ? 0 : bytes, rank ? bytes : 0, out, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
	tell_size("MPI_Bcast", bytes);
	CALL(Ialltoall, 2 * bytes, 2 * bytes, out, bytes, MPI_CHAR, in, bytes, MPI_CHAR,
	     MPI_COMM_WORLD, &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	tell_size("MPI_Ialltoall", 2 * bytes);
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
}

static void one_sided(int bytes, MPI_Win window)
{
	CALL(Win_fence, 0, 0, 0, window);
	CALL(Put, bytes, 0, out, bytes, MPI_CHAR, other, 0, bytes, MPI_CHAR, window);
	tell_size("MPI_Put", bytes);
	sent_to(other, bytes);
	CALL(Win_fence, 0, 0, 0, window);
}

int main(void)
{
	MPI_Win window;

	begin();
	other = 1 - rank;
	CALL(Win_create, 0, 0, in, sizeof in, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	for (int i = 0; i < SIZES; i++) {
		blocking(sizes[i]);
		nonblocking(sizes[i]);
		persistent(sizes[i]);
		with_nobody(sizes[i]);
		collective(sizes[i]);
		one_sided(sizes[i], window);
	}
	CALL(Win_free, 0, 0, &window);
	for (struct fact *fact = facts; fact->count; fact++)
		truth(fact->name, fact->count);
	return end();
}
