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
/* Share of the processors' time in which nobody used them, neither the run nor, as far as it was
 * measured, other programs, the kernel or the host; 0 to 1. */
double finding_idle_share(const struct run *run);
/* Did other programs use processors on which threads of this one could have run? */
bool finding_is_shared_with_others(const struct run *run);

/* The part of the ready time that the program's own threads explain: a thread that is ready because
 * others of the program have all processors is ready only while these are full, and no more are
 * ready than there are beyond the processors. */
double finding_own_ready_ns(const struct run *run);
/* Processors' time of others, the host included, while threads of the program wanted it: they would
 * not have had it without waits for each other either. At most their ready time beyond what its own
 * threads explain, in which more threads wanted to run than there are processors, and beyond what
 * it takes to be woken on an idle machine; and at most what the program did not have of the
 * processors. 0 if nobody else used them. */
double finding_taken_ns(const struct run *run);

/* More threads that execute the program than processors at once on a host, in a job of several
 * ranks. */
bool is_rank_oversubscribed(const struct run *run);

/* CPU time in MPI calls and other waits: of ranks whose useful time is known. */
double finding_polling_ns(const struct mpi_ranks *ranks);
