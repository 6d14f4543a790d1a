/* SPDX-License-Identifier: MIT */
/* Whose run a directory is that was given with -o: `.claim`, written once.
 *
 * Its one line names the start: the job, of which there may be many ranks, or the process. The
 * first start has the directory; the same one finds its own line again, as the ranks of a job do,
 * and a process that executes ptrace-run once more. A second start finds another line, also if both
 * began at the same instant. Context: ptrace-run and ptrace-attach; directory is open. */
#pragma once

#include "launcher.h"

#include <stdbool.h>
#include <sys/types.h>

enum { RUN_CLAIM_SIZE = 128 };

enum run_claim {
	RUN_CLAIM_NONE,  /* nobody has it */
	RUN_CLAIM_OURS,  /* this start has it */
	RUN_CLAIM_OTHER, /* another one has it */
};

bool run_claim_is_name(const char *name);

/* The line of this start; process is the one that the run is of. */
void run_claim_name_start(char text[RUN_CLAIM_SIZE], const struct launcher_job *job, pid_t process);

enum run_claim run_claim_find(int directory, const char *start);

/* For this start, unless another one was first. *error: errno if it cannot be written, else 0. */
enum run_claim run_claim_take(int directory, const char *start, int *error);

void run_claim_give_back(int directory);
