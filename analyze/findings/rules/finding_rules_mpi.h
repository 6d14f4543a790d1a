/* SPDX-License-Identifier: MIT */
/* Rules of finding_rules.def about MPI. NAN: does not apply. Severities are shares of the time of
 * all ranks (threads that execute the program x elapsed time). Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_ranks(const struct run *run, struct finding *finding);
double judge_mpi_site(const struct run *run, struct finding *finding);
double judge_communication(const struct run *run, struct finding *finding);
double judge_mpi_life(const struct run *run, struct finding *finding);
double judge_small_messages(const struct run *run, struct finding *finding);
