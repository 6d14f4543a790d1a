/* SPDX-License-Identifier: MIT */
/* Rules of finding_rules.c that look at MPI. NAN: does not apply. Severities are shares of the time
 * of all ranks (threads that execute the program x elapsed time). Context: pure. */
#pragma once

#include "analyze/model/finding.h"

double judge_ranks(const struct run *run, struct finding *finding);
double judge_collectives(const struct run *run, struct finding *finding);
double judge_mpi_site(const struct run *run, struct finding *finding);
