/* SPDX-License-Identifier: MIT */
/* The error of the blame for waits that were charged at random instead of being measured
 * (docs/report.md).
 *
 * Of W waits, d were charged at random, each wholly to one holder, who is drawn with the share p
 * that it had in the time of the m = W - d measured ones. The difference between what chance
 * charges to a holder and what it should have been charged has three independent parts, with these
 * variances:
 *
 *     of the draws                        p (1 - p) S         S: sum of squared lengths of the d
 *     of who really held the lock         p (1 - p) S
 *     of p, learnt from m meanwhile       p (1 - p) S 2 d / m
 *
 * The last is twice what it would be if p were known from all m at once: the mean of running means.
 * They add up to 2 p (1 - p) S W / m, the square of a standard error. Lengths are taken from the
 * histogram: a wait counts as the middle of its bin, and all are scaled to their exact sum. p is
 * taken to be known from m waits, and no nearer to 0 or 1 than half of one wait. Waits that are too
 * long to be charged at random are left out.
 *
 * Context: pure. */
#pragma once

#include <stdint.h>

struct profile_wait;

/* A row of waits, of which some were charged at random. */
struct blame_lot {
	uint64_t measured;   /* waits: m */
	uint64_t wait_ns;    /* of all W */
	uint64_t spread_us2; /* sum of blame_error_spread */
};

/* 2 S W / m of a row of a profile, in microseconds squared; 0: every wait was measured. These
 * numbers add up over rows. */
uint64_t blame_error_spread(const struct profile_wait *wait);

/* Standard error, in nanoseconds, of that much blame for these waits. */
double blame_error_ns(struct blame_lot lot, uint64_t blame_ns);
