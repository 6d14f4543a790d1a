/* SPDX-License-Identifier: MIT */
/* The rule of finding_rules.def about calls like MPI_Test and MPI_Iprobe that find nothing. NAN: it
 * does not apply. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_mpi_polls(const struct run *run, struct finding *finding);
