/* SPDX-License-Identifier: MIT */
/* 100 windows alive at once: all know their ranks. Their memory is aligned: MPICH 4.0.2 loses what
 * is put into windows of 4 bytes that lie side by side. */
#include "mpi_truth.h"

enum { WINDOWS = 100, INTS = 4 };

int main(void)
{
	MPI_Win windows[WINDOWS];
	_Alignas(16) int memory[WINDOWS][INTS] = {{0}};
	int number = 7;

	begin();
	int partner = (rank + 1) % size;
	for (int i = 0; i < WINDOWS; i++)
		CALL(Win_create, 0, 0, memory[i], sizeof memory[i], sizeof(int), MPI_INFO_NULL,
		     MPI_COMM_WORLD, &windows[i]);
	for (int i = 0; i < WINDOWS; i++) {
		CALL(Win_fence, 0, 0, 0, windows[i]);
		CALL(Put, 4, 0, &number, 1, MPI_INT, partner, 0, 1, MPI_INT, windows[i]);
		sent_to(partner, 4);
		CALL(Win_fence, 0, 0, 0, windows[i]);
		check(memory[i][0] == number, "what was put");
	}
	for (int i = 0; i < WINDOWS; i++) {
		int got = 0;
		CALL(Win_lock, 0, 0, MPI_LOCK_SHARED, partner, 0, windows[i]);
		CALL(Get, 0, 4, &got, 1, MPI_INT, partner, 0, 1, MPI_INT, windows[i]);
		got_from(partner, 4);
		CALL(Win_unlock, 0, 0, partner, windows[i]);
		check(got == number, "what was got");
	}
	for (int i = 0; i < WINDOWS; i++)
		CALL(Win_free, 0, 0, &windows[i]);
	return end();
}
