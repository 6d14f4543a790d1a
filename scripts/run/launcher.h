/* SPDX-License-Identifier: MIT */
/* Of which parallel job this process is a rank, from what its launcher left in the environment and
 * among the ancestors: without communication and, if the launcher names the job, without anything
 * that differs between the hosts of a job.
 *
 * The nearest launcher counts: all descendants inherit the variables of an outer one. Known
 * launchers: Open MPI (orte, prte), hydra (MPICH, Intel MPI), Slurm, PALS, Flux, and any other that
 * sets PMI_RANK and PMI_SIZE. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { LAUNCHER_KEY_SIZE = 400 };

struct launcher_job {
	char key[LAUNCHER_KEY_SIZE]; /* the same for all ranks of the job; "": no job */
	int rank, ranks;             /* as the launcher counts, from 0; ranks >= 2 */
	uint64_t
		start_ns; /* CLOCK_BOOTTIME: start of the launcher of this host; 0: unknown. A key
			     may be used again, but not for a job that began before this instant. */
	bool ends_on_status; /* the launcher ends the job when a rank ends with a status other than
				0 */
	bool is_direct;      /* the launcher itself has started this process; also without a job */
	int herald; /* pid of the launcher if it signals whole process groups, else 0; may be set
		       without a job */
};

/* A job of one rank is no job: there is nobody to agree with, and an interactive shell below a
 * launcher is such a rank and starts many runs. */
void launcher_find(struct launcher_job *job);

/* Is a process of that name (as the kernel has it) a launcher, or a shell or the like that stands
 * between a launcher and its ranks? */
bool launcher_is_name(const char *process);
