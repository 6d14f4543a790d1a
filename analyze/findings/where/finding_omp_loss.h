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
