/* SPDX-License-Identifier: MIT */
/* What all OpenMP regions lost by one problem, and which one lost most. Context: pure but for
 * names. */
#pragma once

#include "analyze/findings/where/finding.h"
#include "analyze/model/openmp/omp_regions.h"

struct run;

struct omp_loss {
	double sum_ns, worst_ns;        /* thread time */
	size_t regions;                 /* regions that lose by it */
	const struct omp_region *worst; /* NULL: none */
};

struct omp_loss omp_loss_of(const struct run *run, double (*lost_ns)(const struct omp_region *));
/* Released by the caller. */
char *omp_region_text(const struct run *run, const struct omp_region *region);
/* Adds the step to the worst region; returns whether that has most of the loss. */
bool finding_add_region(struct finding *finding, const struct run *run,
			const struct omp_loss *loss);

/* What unequal work of members cost, where some of it was no work: time in which a member was
 * ready without a processor counts as work in the profile, and may be all that makes the work
 * unequal. Nanoseconds of thread time. */

/* The larger one of two figures. One is lost_ns (omp_lost_by_imbalance, of all regions) less all
 * ready time outside of waits in the runtime. The other one compares what members worked in all
 * executions of a region, each without its thread's share of ready time: this makes the finding
 * estimated. */
double finding_omp_uneven_ns(const struct run *run, double lost_ns, struct finding *finding);
