/* SPDX-License-Identifier: MIT */
/* parts: a section around regions, one within a region, and the rest outside of all. Four threads. */
#include "../../../include/ptrace.h"
#include "omp_truth.h"

static NOINLINE void work_in_solve(double seconds)
{
	BURN(seconds);
	KEEP;
}

/* Other code than the one above: a linker or compiler may make equal ones one. */
static volatile int outside;

static NOINLINE void work_outside(double seconds)
{
	outside = 1;
	BURN(seconds);
	KEEP;
}

int main(void)
{
	ptrace_begin("solve");
	for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(4)
		work_in_solve(0.02);
	}
	ptrace_end("solve");
#pragma omp parallel num_threads(4)
	{
		work_outside(0.02);
		ptrace_begin("by each");
		work_outside(0.01);
		ptrace_end("by each");
	}
	return end();
}
