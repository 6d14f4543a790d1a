/* SPDX-License-Identifier: MIT */
/* Rules of finding_rules.c that look at MPI. NAN: does not apply. Severities are shares of the time
 * of all ranks (threads that execute the program x elapsed time), but for more ranks than
 * processors, where it is the share of the time in which they wanted to run and could not.
 * Context: pure. */
#pragma once

#include "analyze/model/finding.h"

#include <stdbool.h>

double judge_ranks(const struct run *run, struct finding *finding);
double judge_mpi_site(const struct run *run, struct finding *finding);
double judge_communication(const struct run *run, struct finding *finding);
double judge_mpi_life(const struct run *run, struct finding *finding);
double judge_small_messages(const struct run *run, struct finding *finding);
double judge_rank_oversubscription(const struct run *run, struct finding *finding);

/* More threads that execute the program than processors, in a job of several ranks. */
bool is_rank_oversubscribed(const struct run *run);

struct mpi_ranks;

/* CPU time in MPI calls and other waits: of ranks whose useful time is known. */
double finding_polling_ns(const struct mpi_ranks *ranks);
