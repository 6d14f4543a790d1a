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
 *   cost = share x the longest work of a member, which is as long as others made it, less what
 *     members waited for locks of the runtime
 *
 * so that the share is that of the same program without the others. What all threads spun is their
 * CPU time that was not useful; a thread has the share of it that it has of the time in waits of
 * the runtime without being blocked. There is no cost if the member with the most would have no
 * more than the mean if it had spun for all of it. Work that is shared out on demand (pieces of
 * loops, tasks), and that of nested teams, is judged by its elapsed time. */
#pragma once

struct finding;
struct omp_region;
struct run;

struct omp_uneven {
	/* of regions that are judged by their elapsed time: all, if nobody else had processors */
	double lost_ns;    /* thread time */
	double elapsed_ns; /* by how much they would be shorter with equal work, at most */

	/* of those that are judged by CPU time */
	double by_cpu_ns;                /* by how much they would be shorter */
	unsigned long long regions;      /* that would be */
	const struct omp_region *worst;  /* NULL: none */
	double worst_ns;                 /* its part of by_cpu_ns */
	double most_cpu_ns, mean_cpu_ns; /* of its members, in the process with the most */
	unsigned long long most_number;  /* the member with the most */
};

/* Lowers the grade of the finding if figures are estimated. */
struct omp_uneven finding_omp_uneven_of(const struct run *run, struct finding *finding);
