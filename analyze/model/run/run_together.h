/* SPDX-License-Identifier: MIT */
/* How many threads of all processes of a run were on a processor, and useful, at once: T_i of the
 * run as a whole, in which processes overlap as they did in time: commands that follow one another
 * are never there together, stages of a pipeline are.
 *
 * Each process is taken to be on processors at its own mean rate, CPU time / elapsed time,
 * (useful: useful time / elapsed time) throughout its life, and independent of the others
 * (mpi/job_concurrency.h, which does the same for ranks with their time lines; a process with one
 * thread has none). So the T_i are estimates; sum(i T_i) is the CPU time. Lives are in at most
 * TOGETHER_BINS bins. Context: pure. */
#pragma once

#include "analyze/model/concurrency/efficiency.h"

struct run;

#define TOGETHER_BINS 4096

/* Of the processes and their hosts; unknown of one process, and of a job, whose ranks tell more. */
struct run_together run_together_of(const struct run *run);
