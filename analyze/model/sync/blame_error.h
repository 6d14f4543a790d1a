/* SPDX-License-Identifier: MIT */
/* How far the blame for waits may be off that were drawn by lot, and not measured (docs/report.md).
 *
 * Of W waits, d were charged by lot, each wholly to one holder, who is drawn with the share p that
 * it had in the time of the m = W - d measured ones. What the lot charges to it, and what it should
 * have been charged with, differ by three chances, of these squares:
 *
 *     of the draws                        p (1 - p) S         S: sum of the squared lengths of the d
 *     of who really held the lock         p (1 - p) S
 *     of p, learnt from m meanwhile       p (1 - p) S 2 d / m
 *
 * The last is twice what p, if known from all m at once, would make: the mean of running means. They
 * add up to 2 p (1 - p) S W / m, the square of a standard error. Lengths are those of the
 * histogram: a wait counts as its bin's middle, all of them scaled to their exact sum. p is taken to
 * be known from m waits, no nearer to 0 or 1 than half of one. Waits that are so long that they are
 * not charged by lot are left out.
 *
 * Context: pure. */
#pragma once

#include <stdint.h>

struct profile_wait;

/* A row of waits, of which some were drawn by lot. */
struct blame_lot {
	uint64_t measured;   /* waits: m */
	uint64_t wait_ns;    /* of all W */
	uint64_t spread_us2; /* sum of blame_error_spread */
};

/* 2 S W / m of a row of a profile, in microseconds squared; 0: every wait was measured. Such numbers
 * add up over rows. */
uint64_t blame_error_spread(const struct profile_wait *wait);

/* Standard error, in nanoseconds, of so much blame for these waits. */
double blame_error_ns(struct blame_lot lot, uint64_t blame_ns);
