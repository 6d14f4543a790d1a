/* SPDX-License-Identifier: MIT */
/* The conservation laws that a profile must obey. A profile that violates one is named in the notes
 * of the report: a violation is a defect of the tool. Context: pure. */
#pragma once

#include "analyze/base/text_list.h"
#include "analyze/read/profile.h"

/* For a process that ended by itself: waiting time and the blame for it are equal, for each
 * cause. */
void conservation_check_blame(const struct profile *profile, struct text_list *notes);

/* For OpenMP executions all of whose members were seen: team x elapsed = fork + work + wait +
 * join. */
void conservation_check_openmp(const struct profile *profile, struct text_list *notes);

/* Shares of elapsed time sum to T - T_0 of the process images, time alone to T_1. */
struct run;
void conservation_check_shares(const struct run *run, struct text_list *notes);

/* sampled_excess_ns: CPU time that samples claim beyond what the threads used. */
void conservation_check_samples(uint64_t sampled_excess_ns, struct text_list *notes);
