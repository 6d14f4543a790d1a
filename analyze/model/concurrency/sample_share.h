/* SPDX-License-Identifier: MIT */
/* What share of the elapsed time of its process a sample, and so a routine, stands for.
 *
 * While i threads run at once each of them has an i-th of the elapsed time. A sample knows i, so
 * that its CPU time / i would be its share; but samples are chosen by chance, and T_i is known
 * better. So the CPU time of each routine at each level i is brought into agreement with two sums:
 *
 *   over the levels   the CPU time of the routine
 *   over the routines i T_i
 *
 * Of all tables with these sums it is the one nearest to the sampled one (least relative entropy,
 * as in calibration.h), found by iterative proportional fitting (W. E. Deming and F. F. Stephan,
 * "On a least squares adjustment", 1940; I. Csiszar 1975). A thousandth of each routine's time is
 * taken to have been at any level, in the proportion of i T_i, so that a level that no sample met
 * has somebody; and so is all of the time whose level is not known: samples that did not know it,
 * and what no sample claimed ([unsampled]). Then, exactly and to the nanosecond,
 *
 *   sum of alone_ns   = T_1
 *   sum of elapsed_ns = T - T_0
 *   sum of active_ns  = sum(i T_i)
 *
 * and active_ns / elapsed_ns of a routine is its average concurrency, sum(cpu) / sum(cpu / level).
 * Where T_i is not known, sampled levels stand as they are. Context: pure but for names. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/model/concurrency/efficiency.h"

struct sample_share {
	uint64_t elapsed_ns;
	uint64_t alone_ns;  /* part of it, at level 1 */
	uint64_t active_ns; /* CPU time in agreement with T_i; 0: nothing is known */
};

struct sample_shares {
	struct sample_share *samples; /* of profile->samples.rows */
	struct sample_share rest;     /* of what no sample claimed, all threads together */
};

/* on_processor: of the profile's process; with levels, or unknown. Released by sample_shares_clear.
 */
struct sample_shares sample_shares_of(struct names *names, const struct profile *profile,
				      const struct efficiency *on_processor);
void sample_shares_clear(struct sample_shares *shares);

/* What the threads of a process used beyond what their samples claim. Samples of short threads claim
 * time of others (sample_bank.h): these have so much less left, in proportion. By thread: to be
 * released; excess_ns, if not NULL: what samples claim beyond all that was used (a damaged profile).
 */
uint64_t sample_unclaimed_ns(const struct profile *profile);
uint64_t *sample_unclaimed_by_thread(const struct profile *profile, uint64_t *excess_ns);

void sample_share_add(struct sample_share *to, const struct sample_share *from);
