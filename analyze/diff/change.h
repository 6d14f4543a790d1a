/* SPDX-License-Identifier: MIT */
/* Figures of one name from all runs of both sides, and what became of them from A to B: verdict.c
 * judges by the rules below.
 *
 * A figure that a run does not have is 0 where it adds up (the routine was not met, the lock not
 * taken), otherwise unknown, as is what was not counted (SECTION_COUNTERS); an unknown one takes no
 * part. Medians stand for a side.
 *
 *   noise   what the medians must differ by, in the direction in which they do, to be believed:
 *           the larger of
 *             what the test of diff_welch.h asks for, of log(value + shift), where a side has
 *             several runs. The shift is a hundredth of A's elapsed time, as far as the figure
 *             means any: ratios of what does not matter are not looked at. Elapsed time and CPU
 *             time of the run have none;
 *             3 x the sampling errors of both medians
 *           and what other programs' load on the machine may have changed it by: with one run a
 *           side, of elapsed time the whole that others may account for, of CPU times 1.5 x the
 *           share of the time in which others ran; otherwise, of elapsed time, by how much that
 *           differs, and of CPU times, where that share is more than a half, what the mean of
 *           so many runs leaves of it; with five runs a side or more that were taken in turn,
 *           whose spread shows the most of it, by how much 1.5 x that share differs.
 *           A few runs agree by chance now and then: no time is believed to be steadier than the
 *           run's elapsed time, and the part of it that CPU time is; no CPU time to be steadier
 *           than that of the run. Neighbours make elapsed time unsteady, and say nothing of CPU
 *           times
 *   limit   the noise or, if that is more, the threshold: where a change begins to be one
 *   effect  difference x weight; weight: elapsed time / value of the figure, both sides together
 *
 * A change is `beyond noise` where the difference is larger than the noise and, with several runs
 * on a side, the rank test rejects at 5 %, or as clearly as so few runs can. It counts where
 * besides the figure has changed by the threshold, and the effect is at least the threshold of A's
 * elapsed time. Context: pure. */
#pragma once

#include "analyze/diff/diff_welch.h"
#include "analyze/diff/side.h"

enum verdict {
	VERDICT_UNKNOWN,
	VERDICT_NONE,  /* changed by less than the threshold */
	VERDICT_NOISE, /* changed by more, but that may be chance */
	VERDICT_BETTER,
	VERDICT_WORSE,
	VERDICT_CHANGED, /* changed, without a better or worse */
	VERDICT_NEW,
	VERDICT_GONE,
	VERDICT_COUNT
};

/* What tells two programs apart at any noise (evidence.h). */
enum evidence {
	EVIDENCE_NONE,
	EVIDENCE_NEW,   /* a routine of all runs of B, and none of A */
	EVIDENCE_GONE,  /* the other way round */
	EVIDENCE_SHARE, /* a routine with another share of the CPU time */
	EVIDENCE_COUNT, /* a count that hardly differs within a side */
	EVIDENCE_LIMIT
};

struct change_side {
	double *values; /* one for each run; NAN: unknown */
	size_t known;
	size_t present; /* number of runs that have the figure */
	double median, mean;
	double error;       /* sampling error of the median */
	double effect_ns;   /* mean */
	double disturbance; /* mean */
	double share; /* median of its percentage of the CPU time; only of evidence by routines */
};

struct change {
	const struct figure *figure; /* from a run that has it */
	struct change_side sides[2];
	double difference;     /* of the medians, B - A */
	double change_percent; /* of A's; infinite for what is new */
	double deviation;      /* within the sides; NAN: one run each */
	double shift;          /* of logarithms */
	double inflation;      /* part by which others may have lengthened a CPU time */
	struct diff_welch welch;
	double noise, limit;
	double probability; /* of the rank test; NAN: one run each */
	double effect_ns;   /* NAN: nothing can be said */
	enum verdict verdict;
	bool counts, decides;
	enum evidence evidence;
	double share_effect; /* of EVIDENCE_SHARE: percent of A's CPU time, the rest as it was */
	bool is_replaced;    /* a new routine, or one that is gone, whose time is that of others */
	bool is_of_work; /* a count that changed by the factor of at least half of the amounts */
	size_t order;    /* in which it was first met */
};

struct changes {
	struct change *rows; /* by section; the largest effect first */
	size_t count, capacity;
	const struct change *elapsed, *cpu;
	double threshold_percent;
	unsigned metrics;  /* that may decide: metrics.h */
	double elapsed_ns; /* median of A */
	bool is_in_turn;   /* not all runs of one side were made before those of the other */
	double neighbours; /* processors that other programs used, on average over all runs */
	bool is_undecided; /* the change of elapsed time is within what others may have caused */
};

void changes_clear(struct changes *changes);

/* -1: for the better, 1: for the worse, 0: neither, or not beyond noise. */
int change_direction(const struct change *change);
/* The same by the difference alone, whatever the noise. */
int change_tendency(const struct change *change);
/* The direction of its evidence, 1 for more; 0: it is none. */
int change_evidence(const struct change *change);
/* The direction of one that decides. */
int change_decided(const struct change *change);
/* How much of the difference other programs' load may account for. */
double change_disturbance(const struct change *change);
const struct change *changes_find(const struct changes *changes, enum figure_section section,
				  const char *key, const char *metric);
/* CPU time decides, and elapsed time does not. */
bool changes_is_of_cpu(const struct changes *changes);
/* The time that leaves the verdict open if it has changed within its noise; NULL: none is asked
 * for. */
const struct change *changes_judged(const struct changes *changes);
/* Did other programs leave both elapsed time and CPU time so uncertain that neither would show a
 * change that counts? */
bool changes_cannot_tell(const struct changes *changes);
/* Has the judged time changed by more than the threshold, but within its limit, and nothing else
 * decides? */
bool changes_is_unsure(const struct changes *changes);
/* Number of runs a side that would confirm the change of the judged time if it stays as it is; 0:
 * unknown, or no number would. */
size_t changes_runs_needed(const struct changes *changes);
/* 0: no significant change, or it cannot be told; 1: for the worse; 3: for the better only. */
int changes_status(const struct changes *changes);
/* Can it not be told, for either reason? */
bool changes_is_open(const struct changes *changes);
/* "worse", "better", "same" or "cannot tell". */
const char *changes_verdict(const struct changes *changes);
