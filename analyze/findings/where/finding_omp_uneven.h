/* SPDX-License-Identifier: MIT */
/* What unequal work of the members of OpenMP teams costs. Context: pure. Nanoseconds.
 *
 * A member's work is told in elapsed time: time in which it was ready without a processor counts
 * in it, and may be all that makes the work unequal, or all that makes unequal work end at the same
 * instant. If other programs had processors, members are therefore judged by their CPU time:
 *
 *   CPU time of a member's work in a region = (CPU time of its thread - what it spun) x its work
 *     there / (lifetime - waits in the runtime - blocked otherwise)
 *   share = 1 - mean / most of these, of the members of one process
 *   cost = share x the longest work of a member, which is as long as others made it
 *
 * so that the share is that of the same program without the others. What all threads spun is their
 * CPU time that was not useful; a thread has the share of it that it has of the time in waits of
 * the runtime without being blocked. Work that is shared out on demand (pieces of loops, tasks),
 * and that of nested teams, is judged by its elapsed time. */
#pragma once

#include <stdbool.h>

struct finding;
struct omp_region;
struct run;

struct omp_uneven {
	double lost_ns;    /* thread time */
	double elapsed_ns; /* by how much all regions would be shorter with equal work */
	bool is_sure;      /* also if it was the members with the most work that have spun */
	const struct omp_region *worst;  /* by CPU time; NULL: none was judged by it */
	double worst_ns;                 /* thread time that it lost */
	unsigned long long regions;      /* that lose by it, by CPU time */
	double most_cpu_ns, mean_cpu_ns; /* of the members of worst, in the process with the most */
	unsigned long long most_number;  /* the member with the most */
};

/* lost_ns: omp_lost_by_imbalance, of all regions. */
struct omp_uneven finding_omp_uneven_of(const struct run *run, double lost_ns,
					struct finding *finding);
