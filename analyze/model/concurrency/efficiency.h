/* SPDX-License-Identifier: MIT */
/* How parallel a process was: the time T_i with i threads at once active, and what follows from it.
 *
 * Of elapsed time, T = sum of T_i for i = 0, 1, ..:
 *
 *   average    = sum(i T_i) / T
 *   efficiency = average / n, n = processors that the process may use
 *   sequential = T_1 / T
 *   cautious   = T / (T_0 + T_1): the speed-up if only the time with two or more threads shrank
 *   amdahl     = T / T_1: the same, were the time with nobody active perfectly parallel. It is for
 *                readers of the JSON who have it; a program in which no two threads ever run at
 *                once is promised a speed-up by it
 *
 * While executing, E = T - T_0, as A. D. Malony defines it ("Performance Observability", 1990):
 *
 *   CU_i  = T_i / E, concurrency utilization
 *   CAVG  = sum(i CU_i)
 *   CEFF  = CAVG / n
 *   limit = 1 / CU_1 = E / T_1
 *
 * On a machine k times as large the time with two or more threads is taken to be a kth of what it
 * was, by Amdahl's law: E / (T_1 + (E - T_1) / k), and of elapsed time with T_0 + T_1 for T_1.
 *
 * "Useful" counts threads that are on a processor and in no wait; its average / n is the parallel
 * efficiency of POP (load balance x communication) seen from the processors. Two measurements of
 * one thing: sum(i T_i) from switch records, and the CPU time of all threads from the kernel's
 * clocks. They differ by what the kernel does between two threads, by interrupts, and by what
 * records missed. Where they agree within 1 %, the T_i stand as measured and are exact; elsewhere
 * they are calibrated with the CPU time (calibration.h), and not exact. Context: pure. Unknown
 * figures, and limits where there is no limit, are NAN. */
#pragma once

#include "analyze/model/common/grade.h"
#include "analyze/model/concurrency/calibration.h"
#include "analyze/read/profile.h"
#include "analyze/tables/merged.h"

#define EFFICIENCY_PROJECTIONS 2

/* The speed-up on a machine with `factor` times as many processors. */
struct efficiency_projection {
	unsigned factor;
	double executing, elapsed;
};

/* Columns: merged.def. windows: of records that stand for a part of T, which they were not taken
 * of. */
struct efficiency {
	struct merged_efficiency;
	struct efficiency_level *levels; /* by active; NULL if nothing is known */
	size_t level_count;
	uint64_t executing_ns; /* E */
	double cautious_limit; /* of elapsed time */
	/* while executing */
	double cavg;
	double ceff_percent;
	double executing_limit;
	struct efficiency_projection projections[EFFICIENCY_PROJECTIONS];
};

/* cpu_ns: CPU time of all threads. Released by the caller with efficiency_clear. */
struct efficiency efficiency_of(const struct profile *profile, enum concurrency_kind kind,
				uint64_t elapsed_ns, uint64_t cpu_ns);
/* The same of the time in which a section was open in at least one thread (table section_levels;
 * section 0: in which any was), corrected as the whole process is. factor: so many times as much
 * time passed in it as the table was told. elapsed_ns and cpu_ns are those of the process. */
struct efficiency efficiency_of_section(const struct profile *profile, enum concurrency_kind kind,
					uint64_t section, double factor, uint64_t elapsed_ns,
					uint64_t cpu_ns);
struct efficiency efficiency_unknown(void);
/* From known levels, of which it takes ownership; without any, only grade and T are known. */
struct efficiency efficiency_from_levels(struct efficiency_level *levels, size_t count,
					 uint64_t total_ns, enum grade grade, uint64_t processors);
void efficiency_clear(struct efficiency *efficiency);

/* Computes all figures from levels and total_ns. processors: n, 0 if unknown. */
void efficiency_set_figures(struct efficiency *efficiency, uint64_t processors);
/* CU_i. */
double efficiency_utilization(const struct efficiency *efficiency, uint64_t active);

/* sum(i T_i). */
double efficiency_active_ns(const struct efficiency *efficiency);
uint64_t efficiency_level_ns(const struct efficiency *efficiency, uint64_t active);
/* Standard error of T_i where windows stand for a part of T, as far as chance goes: at most that of
 * windows each of which is all at one level. NAN without windows. */
double efficiency_level_error_ns(const struct efficiency *efficiency, uint64_t active);
/* Time with `low` to `high` threads active; and the highest level with any time. */
double efficiency_range_ns(const struct efficiency *efficiency, uint64_t low, uint64_t high);
uint64_t efficiency_highest(const struct efficiency *efficiency);
