/* SPDX-License-Identifier: MIT */
/* Measures of a run that several rules use. Context: pure. Times in nanoseconds. */
#pragma once

#include <stdbool.h>

struct mpi_ranks;
struct run;

#define FINDING_SECONDS(ns) ((double)(ns) / 1e9)
/* Were threads ready for long enough to matter to anybody? */
bool finding_is_ready(const struct run *run);

/* Processors' time. */
double finding_capacity_ns(const struct run *run);
/* Share of the processors' time in which threads of the program did useful work, percent. */
double finding_used(const struct run *run);
/* Processors' time of other programs, without what the kernel needs to switch, start and end this
 * program's threads; NAN: not measured. */
double finding_others_ns(const struct run *run);
/* Did other programs use processors on which threads of this one could have run? */
bool finding_is_shared_with_others(const struct run *run);

/* Are there more threads that execute the program than processors, in a job of several ranks? */
bool is_rank_oversubscribed(const struct run *run);

/* CPU time of ranks in MPI calls and other waits: what exceeds their useful time. */
double finding_polling_ns(const struct mpi_ranks *ranks);
