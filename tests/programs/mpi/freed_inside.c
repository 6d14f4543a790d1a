/* SPDX-License-Identifier: MIT */
/* A communicator of two, a type and a window are freed in the callback that deletes an attribute of
 * another communicator. Their handles come again for others, of other sizes. */
#include "mpi_truth.h"

enum { MADE = 6 };

static MPI_Comm half;
static MPI_Datatype eight_bytes;
static MPI_Win window;
static MPI_Request request;

static int delete_all(MPI_Comm comm, int key, void *value, void *state)
{
	(void)comm, (void)key, (void)value, (void)state;
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Win_free(&window);
	MPI_Type_free(&eight_bytes);
	return MPI_Comm_free(&half);
}

/* The receive is completed in the callback, too: what it brought belongs to a call that is not
 * recorded, and is not told. */
static void free_inside(void)
{
	static int memory, number, got;
	MPI_Comm owner;
	int key, in[4 * PEERS_MOST];
	char data[8] = {0};

	CALL(Comm_dup, 0, 0, MPI_COMM_WORLD, &owner);
	CALL(Comm_split, 0, 0, MPI_COMM_WORLD, rank % 2, rank, &half);
	CALL(Type_contiguous, 0, 0, 8, MPI_CHAR, &eight_bytes);
	CALL(Type_commit, 0, 0, &eight_bytes);
	CALL(Win_create, 0, 0, &memory, sizeof memory, 1, MPI_INFO_NULL, half, &window);
	CALL(Allgather, 8, 16, data, 1, eight_bytes, in, 1, eight_bytes, half);
	CALL(Irecv, 0, 0, &got, 1, MPI_INT, MPI_ANY_SOURCE, 5, half, &request);
	CALL(Send, 4, 0, &number, 1, MPI_INT, rank / 2 ? 0 : 1, 5, half);
	sent_to((rank + 2) % 4, 4);
	CALL(Comm_create_keyval, 0, 0, MPI_COMM_NULL_COPY_FN, delete_all, &key, NULL);
	CALL(Comm_set_attr, 0, 0, owner, key, &half);
	CALL(Comm_free, 0, 0, &owner);
	CALL(Comm_free_keyval, 0, 0, &key);
}

static void use(MPI_Comm comm, MPI_Datatype type, int bytes)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size;
	_Alignas(16) int number[4] = {0};
	char data[16] = {0}, in[16 * PEERS_MOST];
	MPI_Win memory;

	CALL(Allgather, bytes, (long long)bytes * size, data, 1, type, in, 1, type, comm);
	CALL(Sendrecv, bytes, bytes, data, 1, type, next, 0, in, 1, type, last, 0, comm,
	     MPI_STATUS_IGNORE);
	sent_to(next, bytes);
	got_from(last, bytes);
	CALL(Win_create, 0, 0, number, sizeof number, 1, MPI_INFO_NULL, comm, &memory);
	CALL(Win_fence, 0, 0, 0, memory);
	CALL(Put, 4, 0, &rank, 1, MPI_INT, next, 0, 1, MPI_INT, memory);
	sent_to(next, 4);
	CALL(Win_fence, 0, 0, 0, memory);
	check(number[0] == last, "what the last rank put");
	CALL(Win_free, 0, 0, &memory);
}

int main(void)
{
	MPI_Comm comms[MADE];
	MPI_Datatype types[MADE];

	begin();
	free_inside();
	for (int i = 0; i < MADE; i++) {
		CALL(Comm_dup, 0, 0, MPI_COMM_WORLD, &comms[i]);
		CALL(Type_contiguous, 0, 0, 3 + i, MPI_CHAR, &types[i]);
		CALL(Type_commit, 0, 0, &types[i]);
	}
	for (int i = 0; i < MADE; i++)
		use(comms[i], types[i], 3 + i);
	for (int i = 0; i < MADE; i++) {
		CALL(Comm_free, 0, 0, &comms[i]);
		CALL(Type_free, 0, 0, &types[i]);
	}
	return end();
}
