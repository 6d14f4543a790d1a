/* SPDX-License-Identifier: MIT */
/* parts: sections of ranks. Rank r works for 0.1 s * (r + 1) in "solve", then all meet in "meet";
 * MPI_Pcontrol(2) begins a phase. */
#include "../../../include/ptrace.h"
#include "mpi_truth.h"

static NOINLINE void solve(void)
{
	SPIN(0.1 * (rank + 1));
	KEEP;
}

int main(void)
{
	begin();
	ptrace_begin("solve");
	solve();
	ptrace_end("solve");
	MPI_Pcontrol(2);
	ptrace_begin("meet");
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	ptrace_end("meet");
	return end();
}
