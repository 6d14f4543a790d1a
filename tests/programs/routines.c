/* SPDX-License-Identifier: MIT */
/* Routines of known CPU time: recursive, inlined, static, and deep in the stack. Truth: the CPU
 * time of each. */
#include "truth.h"

static double leaf_cpu, inlined_cpu, deep_cpu[2];
static volatile int keep;

static NOINLINE void recursive_work(int depth)
{
	if (depth == 0) {
		double before = cpu();
		BURN(0.25);
		leaf_cpu += cpu() - before;
	} else {
		recursive_work(depth - 1);
	}
	keep++;
}

static inline __attribute__((always_inline)) void inlined_work(void)
{
	double before = cpu();
	BURN(0.25);
	inlined_cpu += cpu() - before;
}

static NOINLINE void outer_work(void)
{
	inlined_work();
	keep++;
}

static NOINLINE void deep_leaf(double *used)
{
	double before = cpu();
	BURN(0.2);
	*used += cpu() - before;
	keep++;
}

static NOINLINE void descend_even(int depth, double *used);

static NOINLINE void descend_odd(int depth, double *used)
{
	if (depth == 0)
		deep_leaf(used);
	else
		descend_even(depth - 1, used);
	keep++;
}

static NOINLINE void descend_even(int depth, double *used)
{
	if (depth == 0)
		deep_leaf(used);
	else
		descend_odd(depth - 1, used);
	keep++;
}

static NOINLINE void depth_30(void)
{
	descend_even(30, &deep_cpu[0]);
	keep++;
}

static NOINLINE void depth_200(void)
{
	descend_even(200, &deep_cpu[1]);
	keep++;
}

int main(void)
{
	recursive_work(20);
	outer_work();
	depth_30();
	depth_200();
	truth("recursive_work", leaf_cpu);
	truth("outer_work", inlined_cpu);
	truth("depth_30", deep_cpu[0]);
	truth("depth_200", deep_cpu[1]);
	truth_end();
	return 0;
}
