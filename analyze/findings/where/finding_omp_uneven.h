/* SPDX-License-Identifier: MIT */
/* What unequal work of members cost, where some of it was no work: time in which a member was ready
 * without a processor counts as work in the profile, and may be all that makes the work unequal.
 * Context: pure. Nanoseconds of thread time. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

/* The larger one of two figures. One is lost_ns (omp_lost_by_imbalance, of all regions) less all
 * ready time outside of waits in the runtime. The other one compares what members worked in all
 * executions of a region, each without its thread's share of ready time: this makes the finding
 * estimated. */
double finding_omp_uneven_ns(const struct run *run, double lost_ns, struct finding *finding);
