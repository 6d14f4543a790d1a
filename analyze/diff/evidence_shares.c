/* SPDX-License-Identifier: MIT */
/* Routines whose share of the CPU time has changed. What slows a whole run down, as other programs
 * and a slower processor do, leaves the ratio of its parts. */
#include "analyze/base/memory.h"
#include "analyze/diff/diff_test.h"
#include "analyze/diff/diff_welch.h"
#include "analyze/diff/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MIN        3
#define CERTAINTY       1.5 /* times the limit: there are many routines */
#define SAMPLING_ERRORS 3
#define REJECTED        0.05
#define CERTAIN         0.0002 /* by ranks alone: of 25 routines, one in 200 comparisons */
#define RATIO_SHIFT     0.01   /* a hundredth of the rest: below it ratios of ratios do not count */
#define REST_MIN        0.001

/* CPU time of the routine / that of the rest, for each run. */
static double *ratios_of(const struct changes *changes, const struct change *change, size_t side,
			 size_t runs)
{
	double *ratios = memory_allocate(runs, sizeof *ratios);

	for (size_t i = 0; i < runs; i++) {
		double cpu = changes->cpu->sides[side].values[i];
		double own = change->sides[side].values[i];

		ratios[i] = own / fmax(cpu - own, REST_MIN * cpu);
	}
	return ratios;
}

struct shares {
	double *ratios[2];
	double medians[2];
	size_t runs[2];
};

static struct shares shares_of(const struct changes *changes, const struct change *change,
			       const struct side sides[2])
{
	struct shares shares = {0};

	for (size_t side = 0; side < 2; side++) {
		shares.runs[side] = sides[side].count;
		shares.ratios[side] = ratios_of(changes, change, side, sides[side].count);
		shares.medians[side] = diff_test_median(shares.ratios[side], shares.runs[side]);
	}
	return shares;
}

/* Deviation of the logarithms by sampling: the error is relative to the routine's own time, and the
 * rest moves the other way. */
static double sampling_error(const struct change *change, const struct shares *shares)
{
	double sum = 0;

	for (size_t side = 0; side < 2; side++) {
		double relative = change->sides[side].error / change->sides[side].median;
		double ratio = shares->medians[side];

		sum += pow(relative * (1 + ratio) * ratio / (ratio + RATIO_SHIFT), 2);
	}
	return sqrt(sum);
}

static bool is_apart(const struct change *change, const struct shares *shares)
{
	struct diff_welch welch = {0};
	double moved = log((shares->medians[1] + RATIO_SHIFT) / (shares->medians[0] + RATIO_SHIFT));

	for (size_t side = 0; side < 2; side++)
		diff_welch_set(&welch, side, shares->ratios[side], shares->runs[side], RATIO_SHIFT);
	double least = diff_test_ranks_least(shares->runs[0], shares->runs[1]);
	double probability = diff_test_ranks(shares->ratios[0], shares->runs[0], shares->ratios[1],
					     shares->runs[1]);

	double limit = (probability <= CERTAIN ? 1 : CERTAINTY) * diff_welch_limit(&welch);

	return fabs(moved) > limit &&
	       fabs(moved) > SAMPLING_ERRORS * sampling_error(change, shares) &&
	       probability <= fmax(REJECTED, least * (1 + 1e-9));
}

/* Percent of A's CPU time: by how much it changes if the rest takes as long as before. */
static double effect_of(const struct shares *shares)
{
	return 100 * (shares->medians[1] - shares->medians[0]) / (1 + shares->medians[0]);
}

static double percent_of(double ratio)
{
	return 100 * ratio / (1 + ratio);
}

static void judge(struct change *change, const struct changes *changes, const struct shares *shares)
{
	double effect = effect_of(shares);

	/* What moved the other way in time as well is told by that. */
	if (fabs(effect) < changes->threshold_percent || effect * change->difference <= 0 ||
	    !is_apart(change, shares))
		return;
	change->evidence = EVIDENCE_SHARE;
	change->share_effect = effect;
	for (size_t side = 0; side < 2; side++)
		change->sides[side].share = percent_of(shares->medians[side]);
}

static bool is_judged(const struct change *change)
{
	return change->figure->section == SECTION_ROUTINES &&
	       !strcmp(change->figure->metric, "self") && change->figure->role == ROLE_CAUSE &&
	       change->sides[0].median > 0 && change->sides[1].median > 0;
}

void evidence_find_shares(struct changes *changes, const struct side sides[2])
{
	if (sides[0].count < RUNS_MIN || sides[1].count < RUNS_MIN)
		return;
	for (size_t i = 0; i < changes->count; i++) {
		struct change *change = &changes->rows[i];

		if (!is_judged(change))
			continue;
		struct shares shares = shares_of(changes, change, sides);

		judge(change, changes, &shares);
		free(shares.ratios[0]);
		free(shares.ratios[1]);
	}
}
