/* SPDX-License-Identifier: MIT */
/* What several rules measure a run by. Context: pure. Times in nanoseconds. */
#pragma once

#include <stdbool.h>

struct mpi_ranks;
struct run;

/* Were threads ready for long enough to matter to anybody? */
bool finding_is_ready(const struct run *run);

/* Processors' time. */
double finding_capacity_ns(const struct run *run);
/* Share of the processors' time in which threads of the program did useful work, percent. */
double finding_used(const struct run *run);
/* Processors' time of other programs, without what the kernel needs for this one's switches; NAN:
 * not measured. */
double finding_others_ns(const struct run *run);
/* Did other programs use processors on which threads of this one could have run? */
bool finding_is_shared_with_others(const struct run *run);

/* More threads that execute the program than processors, in a job of several ranks. */
bool is_rank_oversubscribed(const struct run *run);

/* CPU time in MPI calls and other waits: of ranks whose useful time is known. */
double finding_polling_ns(const struct mpi_ranks *ranks);
