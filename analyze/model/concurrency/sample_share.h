/* SPDX-License-Identifier: MIT */
/* What share of the elapsed time of its process a sample, and so a routine, stands for.
 *
 * While i threads run at once each of them has one i-th of the elapsed time. A sample records i, so
 * its share could be CPU time / i; but samples are chosen by chance, and T_i is known better. So
 * the CPU time of each routine at each level i is adjusted to two sums:
 *
 *   over the levels   the CPU time of the routine
 *   over the routines i T_i
 *
 * Of all tables with these sums the result is the one nearest to the sampled one (least relative
 * entropy, as in calibration.h), found by iterative proportional fitting (W. E. Deming and F. F.
 * Stephan, "On a least squares adjustment", 1940; I. Csiszar 1975). A thousandth of each routine's
 * time is distributed over all levels in proportion to i T_i, so that no level without samples is
 * empty; so is all time whose level is not known: samples without a level, and CPU time that no
 * sample claimed ([unsampled]). Then, exactly and to the nanosecond,
 *
 *   sum of alone_ns   = T_1
 *   sum of elapsed_ns = T - T_0
 *   sum of active_ns  = sum(i T_i)
 *
 * and active_ns / elapsed_ns of a routine is its average concurrency, sum(cpu) / sum(cpu / level).
 * If T_i is not known, the sampled levels are used as they are. Context: pure but for names. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/model/concurrency/efficiency.h"
#include "analyze/tables/merged.h"

/* struct sample_share: merged.def. */
struct sample_shares {
	struct sample_share *samples; /* of profile->samples.rows */
	struct sample_share rest;     /* CPU time that no sample claimed, of all threads together */
};

/* on_processor: of the profile's process; with levels, or unknown. Released with
 * sample_shares_clear. */
struct sample_shares sample_shares_of(struct names *names, const struct profile *profile,
				      const struct efficiency *on_processor);
void sample_shares_clear(struct sample_shares *shares);

/* The CPU time that the threads of a process used beyond what their samples claim. Samples of short
 * threads claim time of other threads (sample_bank.h): what remains of those is reduced in
 * proportion. By thread: released by the caller; excess_ns, if not NULL: what samples claim beyond
 * all that was used (a damaged profile). */
uint64_t sample_unclaimed_ns(const struct profile *profile);
uint64_t *sample_unclaimed_by_thread(const struct profile *profile, uint64_t *excess_ns);

/* The relative error of a sampled time, percent: one standard deviation, 100 / sqrt(samples); NAN:
 * there are none. */
double sample_error_percent(uint64_t samples);

void sample_share_add(struct sample_share *to, const struct sample_share *from);
