/* SPDX-License-Identifier: MIT */
/* Named parts of a run: sections, which are a tree of names, phases, and marks.
 *
 * Two kinds of accounts. Of PROCESSES: while a section is open in at least one thread, T_i passes
 * as in the whole process, with whatever all its threads do: elapsed = sum of T_i, CPU = sum(i
 * T_i), CEFF, CU_1 and limit as in concurrency/efficiency.h. It is inclusive of sections within. Of
 * THREADS: at each instant a thread is in its innermost section alone: time, CPU time and waits by
 * cause of those that were in the section themselves. Times of sections within are added here
 * (inclusive), so that the outermost sections and the rest outside are the whole: lives, CPU time
 * and waits of all threads, T_i of all processes that have sections.
 *
 * Over several processes elapsed times, T_i and capacities (processors x executing time) add up, as
 * if the processes had run one after the other: CEFF = sum(i T_i) / sum(n E), CU_1 = sum(T_1) /
 * sum(E). How unequal the elapsed times of ranks or processes are is a figure of its own.
 *
 * A phase is of the process: threads' accounts do not have it, and its waits are those that say
 * that they were in it. Context: pure but for names. Times in nanoseconds. */
#pragma once

#include "analyze/model/common/grade.h"
#include "analyze/model/common/histogram.h"
#include "analyze/tables/merged.h"

#include <stddef.h>

struct merged_input;
struct merged_writer;
struct names;
struct process;
struct profile;

/* T_i of one i. */
struct section_level {
	uint64_t active, time_ns, useful_ns;
};

/* The most time of waits for one thing. cause 0: there were none. */
struct section_wait {
	uint64_t cause, time_ns, count;
	const char *object; /* "": the call has none, or it is not known */
};

/* Over the processes, or ranks, that were in the section. */
struct section_spread {
	size_t processes, longest; /* the latter in run->processes */
	uint64_t min_ns, max_ns;
	double mean_ns;
};

/* Columns: merged.def; those of threads (own_ns, own_cpu_ns, own_wait_ns) with sections within. Of
 * the rest outside of all: kind SECTION_NONE. */
struct section {
	struct merged_sections;
	const char *path;            /* "outer/inner" */
	unsigned depth;              /* 0: outermost */
	uint64_t open;               /* begins that had not ended with the profile */
	uint64_t intervals;          /* that ended: those of which the lengths are known */
	struct histogram lengths;    /* of these */
	struct section_wait longest; /* the largest sum of waits */
	struct section_spread spread;
	struct section_level *levels; /* by i */
	size_t level_count;
	double ceff_percent, utilization_percent, limit; /* CEFF, CU_1, 1 / CU_1; NAN: unknown */
};

/* Why an interval took so long: what most of it was. */
enum section_reason {
	SECTION_REASON_NO_PROCESSOR, /* neither on a processor nor in a wait */
	SECTION_REASON_WAIT,
	SECTION_REASON_FAULTS, /* CPU time, with page faults in it */
	SECTION_REASON_CPU
};

/* One interval that is longer than SECTION_LONG_FACTOR times the shortest. */
struct section_interval {
	struct merged_section_longest; /* section: in sections->rows */
	enum section_reason reason;
	uint64_t reason_ns; /* the time that it explains; of page faults the CPU time */
};

#define SECTION_LONG_FACTOR 4

/* Those of a section, the longest first. */
struct section_anomalies {
	size_t section; /* in sections->rows */
	uint64_t count, of;
	bool is_exact; /* otherwise there may be more than count */
	const struct section_interval *rows;
	size_t row_count; /* that are known one by one: of count */
};

/* Columns: merged.def; values are numbers with a sign. */
struct section_mark {
	struct merged_marks;
	double between_mean_ns; /* between two in one thread; NAN: unknown */
};

struct sections {
	struct section
		*rows;       /* phases, then sections, each with those within it behind it; siblings
				with the most elapsed time first; the rest is the last row */
	size_t count;        /* 0: the run has none */
	uint64_t elapsed_ns; /* of the processes that have sections, together */
	uint64_t overlap_ns; /* elapsed time of outermost sections beyond the time in which any was
				open: several at once */
	struct section_interval *intervals;
	size_t interval_count;
	struct section_anomalies *anomalies; /* the most intervals first */
	size_t anomaly_count;
	struct section_mark *marks; /* by name */
	size_t mark_count;
};

/* No more than so long took `percent` of the intervals. */
struct histogram_percentile section_percentile(const struct section *section, double percent);
/* Waits of any cause in it; of a phase UINT64_MAX: not known. */
uint64_t section_waited_ns(const struct section *section);
/* Is it the rest outside of all? */
static inline bool section_is_rest(const struct section *section)
{
	return section->kind == SECTION_NONE;
}

/* An accumulator (accumulator.h). */
struct sections_accumulator;

struct sections_accumulator *sections_accumulator_create(struct names *names);
void sections_accumulator_add(struct sections_accumulator *accumulator,
			      const struct profile *profile, const struct process *process);
void sections_accumulator_write(const struct sections_accumulator *accumulator,
				struct merged_writer *writer);
void sections_accumulator_read(struct sections_accumulator *accumulator,
			       struct merged_input *input);
struct sections sections_accumulator_finish(struct sections_accumulator *accumulator);
void sections_clear(struct sections *sections);
