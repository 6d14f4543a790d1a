/* SPDX-License-Identifier: MIT */
/* What the rules on MPI have in common. Context: pure but for names. Times in nanoseconds. */
#pragma once

#include "analyze/model/mpi/mpi_accumulator.h"

#include <stdbool.h>

struct run;

/* Elapsed time that calls of this class took at most: all ranks are in them at once, so it is that
 * of the longest rank and not the sum over ranks. 0: unknown, as for jobs that may have followed
 * one another. */
double finding_longest_in(const struct mpi *mpi, enum mpi_class class);
/* The share of one thread in a time of all threads of a rank that execute the program. */
double finding_per_unit(const struct mpi_rank *rank, double ns);
/* Elapsed time of the rank in the start and end of MPI, where it may wait for others as well. */
double finding_life_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank);
/* By how much the job could be shorter at most without start and end of MPI: no rank becomes
 * shorter than the rest of it. 0: unknown, as for several jobs. */
double finding_life_cause_ns(const struct mpi *mpi);
/* How long each thread of the rank was in MPI between these two. */
double finding_mpi_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank);
/* The same, with what it may have waited for others in its own start and end of MPI. */
double finding_waits_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank);
/* How long each thread of the rank was ready without a processor, outside of the start and end of
 * MPI: nothing records where, and it is taken to be spread evenly; but no longer than the thread
 * neither slept nor worked. */
double finding_any_ready_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank);
/* The part of it that cannot have been in MPI, where a rank may just poll for another one: only
 * this makes it late. */
double finding_ready_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank);
/* None of it: as if there were enough processors. */
double finding_no_ready_of_rank_ns(const struct mpi *mpi, const struct mpi_rank *rank);
/* Of what others waited for a rank (charged_ns), the part that it was late by itself, by work or by
 * sleep, and not since it was delayed. */
double finding_own_lateness_ns(const struct run *run, const struct mpi_rank *rank,
			       double charged_ns, double delayed_ns);
/* How long threads of all ranks were ready, outside of waits for a rank that came late though it
 * had its processor, or since it slept: who polls for it may as well be ready. With several jobs,
 * whose ranks cannot be told apart, all of it. */
double finding_wanting_of_ranks_ns(const struct run *run);
/* The rest of it, at most those waits. */
double finding_polled_by_ranks_ns(const struct run *run);
/* The ready time of all ranks as a share of their time: it is not known where they were ready, so
 * each place has this share of its time. */
double finding_ready_share(const struct mpi *mpi);
/* Time in calls of a place, or of a name, that looked for something and found nothing, without the
 * share of ready time; 0 where each took so long that it did something: it moved messages. */
double finding_polled_ns(const struct mpi *mpi, const struct mpi_site *site);
typedef double (*finding_ready_of_rank)(const struct mpi *mpi, const struct mpi_rank *rank);
/* By how much the job could be shorter at most if messages came in time: a job is as long as each
 * of its ranks, and no rank becomes shorter than the time in which it is useful, has no processor
 * (one of the functions above), or is in the calls that start and end MPI (as the rank that was
 * there for the shortest time). So what two ranks wait for each other in turn is won once, and
 * nothing is won for a rank that always works, whoever waits for it. (Without ready time it is
 * POP's R - max U.) At least 1; 0: unknown, as for several jobs. */
double finding_least_lost_ns(const struct mpi *mpi, finding_ready_of_rank ready_ns);
/* Released by the caller. */
char *finding_rank_name(uint64_t rank);
/* How long a rank waited for messages of a peer beyond what latency and bytes explain. */
double finding_lateness_ns(const struct mpi_pair *pair);
/* The same, of all pairs. */
double finding_all_lateness_ns(const struct mpi_pairs *pairs);
/* Is it a call that may last until a message has come? */
bool finding_waits_for_messages(const struct mpi_site *site);
/* The ranks' times in all calls of a name; NULL: unknown. */
const struct mpi_site *finding_call_of(const struct mpi *mpi, const char *name);
