/* SPDX-License-Identifier: MIT */
/* One-sided communication with every synchronization: fence, lock, lock_all and flush, post and
 * start. Each rank puts to the next one. */
#include "mpi_truth.h"

enum { N = 16, BYTES = N * 8 };
static double *memory;
static double local[N], result[N];
static MPI_Win window;
static int next, previous;

static void with_fences(void)
{
	CALL(Win_fence, 0, 0, 0, window);
	CALL(Put, BYTES, 0, local, N, MPI_DOUBLE, next, 0, N, MPI_DOUBLE, window);
	sent_to(next, BYTES);
	CALL(Win_fence, 0, 0, 0, window);
	check(memory[0] == previous + 1, "MPI_Put");
	CALL(Get, 0, BYTES, result, N, MPI_DOUBLE, next, 0, N, MPI_DOUBLE, window);
	got_from(next, BYTES);
	CALL(Win_fence, 0, 0, 0, window);
	check(result[0] == rank + 1, "MPI_Get");
	CALL(Accumulate, BYTES, 0, local, N, MPI_DOUBLE, next, 0, N, MPI_DOUBLE, MPI_SUM, window);
	sent_to(next, BYTES);
	CALL(Win_fence, 0, 0, 0, window);
	check(memory[0] == 2 * (previous + 1), "MPI_Accumulate");
	CALL(Put, 0, 0, local, N, MPI_DOUBLE, MPI_PROC_NULL, 0, N, MPI_DOUBLE, window);
	CALL(Win_fence, 0, 0, 0, window);
}

static void with_locks(void)
{
	CALL(Win_lock, 0, 0, MPI_LOCK_EXCLUSIVE, next, 0, window);
	CALL(Put, 8, 0, local, 1, MPI_DOUBLE, next, 0, 1, MPI_DOUBLE, window);
	CALL(Win_flush, 0, 0, next, window);
	CALL(Get, 0, 8, result, 1, MPI_DOUBLE, next, 0, 1, MPI_DOUBLE, window);
	CALL(Win_flush_local, 0, 0, next, window);
	CALL(Win_unlock, 0, 0, next, window);
	check(result[0] == rank + 1, "MPI_Get in a lock");
	sent_to(next, 8);
	got_from(next, 8);
}

static void at_once(void)
{
	double one = 1, zero = 0, before;
	long long old = 0, new = 7, found;
	MPI_Request request;

	CALL(Win_lock_all, 0, 0, 0, window);
	CALL(Get_accumulate, 16, 16, local, 2, MPI_DOUBLE, result, 2, MPI_DOUBLE, next, 2, 2,
	     MPI_DOUBLE, MPI_SUM, window);
	CALL(Win_flush_all, 0, 0, window);
	CALL(Fetch_and_op, 8, 8, &one, &before, MPI_DOUBLE, next, 5, MPI_SUM, window);
	CALL(Win_flush_local_all, 0, 0, window);
	CALL(Win_unlock_all, 0, 0, window);
	(void)zero;
	sent_to(next, 16);
	got_from(next, 16);
	sent_to(next, 8);
	got_from(next, 8);
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	CALL(Win_lock_all, 0, 0, 0, window);
	CALL(Compare_and_swap, 8, 8, &new, &old, &found, MPI_LONG_LONG, next, 6, window);
	sent_to(next, 8);
	got_from(next, 8);
	CALL(Win_flush, 0, 0, next, window);
	CALL(Rput, 24, 0, local, 3, MPI_DOUBLE, next, 8, 3, MPI_DOUBLE, window, &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	CALL(Win_flush, 0, 0, next, window);
	CALL(Rget, 0, 24, result, 3, MPI_DOUBLE, next, 8, 3, MPI_DOUBLE, window, &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	check(result[0] == rank + 1, "MPI_Rget");
	CALL(Raccumulate, 8, 0, local, 1, MPI_DOUBLE, next, 12, 1, MPI_DOUBLE, MPI_SUM, window,
	     &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	CALL(Win_unlock_all, 0, 0, window);
	sent_to(next, 24);
	got_from(next, 24);
	sent_to(next, 8);
}

/* The previous rank may write here, and this one to the next. */
static void with_groups(void)
{
	MPI_Group world, from, to;

	CALL(Comm_group, 0, 0, MPI_COMM_WORLD, &world);
	CALL(Group_incl, 0, 0, world, 1, &previous, &from);
	CALL(Group_incl, 0, 0, world, 1, &next, &to);
	CALL(Win_post, 0, 0, from, 0, window);
	CALL(Win_start, 0, 0, to, 0, window);
	CALL(Put, BYTES, 0, local, N, MPI_DOUBLE, next, 0, N, MPI_DOUBLE, window);
	sent_to(next, BYTES);
	CALL(Win_complete, 0, 0, window);
	CALL(Win_wait, 0, 0, window);
	check(memory[N - 1] == previous + 1, "MPI_Put between start and complete");
	CALL(Group_free, 0, 0, &from);
	CALL(Group_free, 0, 0, &to);
	CALL(Group_free, 0, 0, &world);
}

int main(void)
{
	begin();
	next = (rank + 1) % size;
	previous = (rank + size - 1) % size;
	for (int i = 0; i < N; i++)
		local[i] = rank + 1;
	CALL(Win_allocate, 0, 0, BYTES, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
	memset(memory, 0, BYTES);
	with_fences();
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	with_locks();
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	at_once();
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	with_groups();
	CALL(Win_free, 0, 0, &window);
	return end();
}
