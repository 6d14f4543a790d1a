/* SPDX-License-Identifier: MIT */
/* How often a thread may be sampled: as often as asked for, unless its samples take more of its CPU
 * time than the budget allows (PTRACE_BUDGET). In the first ten seconds of a process that is all of
 * the budget, since a short run needs its samples; later it is half, and the other half is left to
 * what else is measured. A pure function of what it is told. */
#pragma once

#include <stdint.h>

/* Samples of one thread that are not judged yet. */
struct sample_budget {
	uint64_t cpu_ns; /* that they stand for */
	uint64_t own_ns; /* that they took, the kernel's part included */
	uint32_t samples;
};

enum { SAMPLE_BUDGET_YOUTH_S = 10 };

/* Adds a sample; age_ns: of the process. Returns the CPU time in ns that is to lie between samples
 * from now on; 0: as before. */
uint64_t sample_budget_judge(struct sample_budget *budget, struct sample_budget sample,
			     uint64_t age_ns, uint32_t percent);
