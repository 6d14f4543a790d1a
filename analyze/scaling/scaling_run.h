/* SPDX-License-Identifier: MIT */
/* What the comparison needs of a single run. The run itself is not kept: a dozen of them would not
 * fit into memory where one does.
 *
 * Context: pure but for names. Times in nanoseconds; unknown figures are NAN. */
#pragma once

#include "analyze/scaling/scaling_costs.h"
#include "analyze/scaling/scaling_scale.h"

struct scaling_counters {
	double instructions, cycles; /* of useful time, all threads; NAN: not counted */
};

struct scaling_run {
	char *directory;
	char *program; /* file name of the executable */
	struct scaling_scale scale;
	bool are_ranks;    /* p counts MPI ranks of one thread each */
	double elapsed_ns; /* T(p) */
	double useful_ns;  /* of all threads: on a processor, or in a region's work, in no wait */
	double parallel;   /* efficiency as the report has it: POP's, TALP's; else useful / (p T) */
	double sequential_ns; /* with one thread useful (OpenMP: outside of regions) */
	enum grade sequential_grade;
	double ready_ns;
	const char *per;     /* the unit of work that was asked for (run_units.h); NULL: none */
	double requests;     /* that were answered (requests.h), or these units */
	uint64_t processors; /* 0: unknown */
	bool is_complete;
	struct scaling_counters counters;
	struct scaling_costs costs;
};

/* given_p: the scale that the user gave; 0: it is derived from the run. */
struct scaling_run scaling_run_of(const struct run *run, double given_p);
void scaling_run_clear(struct scaling_run *run);
