/* SPDX-License-Identifier: MIT */
/* Which parallel job this process is a rank of, from what its launcher left in the environment and
 * among the ancestors: no communication, and nothing that differs between the hosts of a job where
 * the launcher gives the job a name.
 *
 * The nearest launcher counts: the variables of an outer one are inherited by everything below it.
 * Launchers that are looked at: Open MPI (orte, prte), hydra (MPICH, Intel MPI), Slurm, PALS, Flux,
 * and any other that sets PMI_RANK and PMI_SIZE. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { LAUNCHER_KEY_SIZE = 400 };

struct launcher_job {
	char key[LAUNCHER_KEY_SIZE]; /* the same for all ranks of the job; "": no job */
	int rank, ranks;             /* as the launcher counts, from 0; ranks >= 2 */
	uint64_t start_ns;   /* CLOCK_BOOTTIME: when the launcher of this host began; 0: unknown. A
				key may come again, but not for a job that began before. */
	bool ends_on_status; /* the launcher ends the job when a rank ends with a status but 0 */
	bool is_direct;      /* the launcher itself has started this process; also without a job */
	int herald; /* pid of the launcher when it signals whole process groups, else 0; it may be
		       there without a job */
};

/* A job of one rank is no job: there is nobody to agree with, and an interactive shell below a
 * launcher is such a rank that starts many runs. */
void launcher_find(struct launcher_job *job);
