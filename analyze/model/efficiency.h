/* SPDX-License-Identifier: MIT */
/* How parallel a process was: the time T_i with i threads at once active, and what follows from it.
 *
 *   T          = sum of T_i, the elapsed time
 *   average    = sum(i T_i) / T
 *   efficiency = sum(i T_i) / (n T), n = processors that the process may use (CEFF)
 *   sequential = T_1 / T
 *   amdahl     = T / T_1: what more processors could give at most if the sequential time stayed as
 * it is T_0, nobody active, lowers average and efficiency; the sequential share and the limit see
 * it only as a part of T.
 *
 * "Useful" counts threads that are on a processor and in no wait; its average / n is the parallel
 * efficiency of POP (load balance x communication) seen from the processors. Two measurements of
 * one thing: sum(i T_i) from switch records, and the CPU time of all threads from the kernel's
 * clocks. They differ by what the kernel does between two threads, by interrupts, and by what
 * records missed. Where they agree within 1 %, the T_i stand as measured and are exact; elsewhere
 * they are calibrated with the CPU time (calibration.h), and not exact. Context: pure. Unknown
 * figures are NAN. */
#pragma once

#include "analyze/model/grade.h"
#include "analyze/read/profile_read.h"

struct efficiency_level {
	uint64_t active;
	uint64_t time_ns;
};

struct efficiency {
	enum grade grade;
	struct efficiency_level *levels; /* by active; NULL if nothing is known */
	size_t level_count;
	uint64_t total_ns; /* T */
	double average;
	double efficiency_percent;
	double sequential_percent;
	double amdahl_limit; /* NAN: no time with one thread, no limit from it */
};

/* cpu_ns: CPU time of all threads. The caller releases with efficiency_clear. */
struct efficiency efficiency_of(const struct profile *profile, enum concurrency_kind kind,
				uint64_t elapsed_ns, uint64_t cpu_ns);
struct efficiency efficiency_unknown(void);
void efficiency_clear(struct efficiency *efficiency);

uint64_t efficiency_level_ns(const struct efficiency *efficiency, uint64_t active);
/* Time with `low` to `high` active; and the highest level that there is. */
double efficiency_range_ns(const struct efficiency *efficiency, uint64_t low, uint64_t high);
uint64_t efficiency_highest(const struct efficiency *efficiency);
