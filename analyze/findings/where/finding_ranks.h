/* SPDX-License-Identifier: MIT */
/* What the rules on MPI have in common. Context: pure but for names. Times in nanoseconds. */
#pragma once

#include "analyze/findings/where/finding.h"
#include "analyze/model/mpi/mpi_account.h"

#include <stdbool.h>

struct run;

/* What is at stake of the elapsed time of the run, of which the job may be a part. longest_ns: of
 * the rank that lost most; 0: not known. cause_ns: elapsed time that the cause took; 0: not known.
 */
double finding_stake_of_ranks(const struct run *run, struct finding *finding, double lost_ns,
			      double longest_ns, double cause_ns);
/* Elapsed time that calls of this class took at most: all ranks are in them at once, so that it is
 * the longest rank's and not the sum of ranks. 0: not known, as of jobs that may come one after the
 * other. */
double finding_longest_in(const struct mpi *mpi, enum mpi_class class);
/* Of a time of all threads of a rank that execute the program, that of one. */
double finding_per_unit(const struct mpi_rank *rank, double ns);
/* For how long each thread of the rank was ready and had no processor, outside of the start and end
 * of MPI: nobody records where, and it is taken to be spread evenly. */
double finding_ready_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank);
/* By how much messages that come in time could shorten the job at most: a job is as long as each of
 * its ranks, and none becomes shorter than it is useful, or without a processor, or in the calls
 * that start and end MPI. So what two ranks wait for each other in turn is won once, and nothing is
 * won for a rank that always works, whoever waits for it. (With ready time left out it is POP's R -
 * max U.) At least 1; 0: not known, as of several jobs. */
double finding_least_lost_ns(const struct mpi *mpi);
/* Released by the caller. */
char *finding_rank_name(uint64_t rank);
/* Of a rank for messages of a peer, beyond what latency and bytes explain. */
double finding_lateness_ns(const struct mpi_pair *pair);
/* All pairs. */
double finding_all_lateness_ns(const struct mpi_pairs *pairs);
/* A call that may last until a message has come. */
bool finding_waits_for_messages(const struct mpi_site *site);
/* The ranks' times in all calls of a name; NULL: unknown. */
const struct mpi_site *finding_call_of(const struct mpi *mpi, const char *name);
