/* SPDX-License-Identifier: MIT */
/* Makes measured times T_i agree with a sum that is known better.
 *
 * sum(i T_i) over threads on a processor is their CPU time, which the kernel's CPU clocks give
 * exactly. Where T_i was computed from windows of switch records, or from waits alone, its sum
 * differs; then the T_i are weighted by w^i, with the one w that makes the sum right. Of all
 * distributions with that sum this is the one nearest to the measured one (least relative entropy:
 * I. Csiszar, "I-divergence geometry of probability distributions", 1975). Context: pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* T_i. */
struct efficiency_level {
	uint64_t active;
	uint64_t time_ns;
};

/* Two measurements of the same time that differ by less than this share agree, and the measured
 * distribution is kept: a context switch takes some microseconds, which records and CPU clocks
 * assign to threads in different ways. */
#define CALIBRATION_AGREEMENT 0.01

/* Changes the times of levels (the array has room for two more) so that sum(i T_i) = active_ns;
 * sum(T_i) stays the same. Adds level 0 if it is missing, so that time can move to or from it; and,
 * where the CPU time is more than the highest level could have, a higher one, up to `processors`:
 * in windows of records, which are few, it may never have been seen. */
void calibrate_levels(struct efficiency_level *levels, size_t *count, double active_ns,
		      uint64_t processors);
