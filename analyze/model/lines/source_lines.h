/* SPDX-License-Identifier: MIT */
/* What happened at each source line: CPU time, waits, MPI calls, and the waits of others that were
 * charged to it.
 *
 * The figures are those of other parts of the model, sorted by line, and their sums over the lines
 * are the same:
 *
 *   cpu       run->routines.lines
 *   wait_ns   run->synchronization, by the place that waited; blame_ns: by the place that caused it
 *   mpi_ns    run->mpi, by the place that called
 *   omp_ns    run->omp: waits at barriers and for tasks. The closing barrier of a region counts at
 *             the line of the region
 *   counted   run->counters.lines
 *
 * Context: pure. Lives no longer than the run. */
#pragma once

#include "analyze/model/run/run.h"

#define SOURCE_ALL_ROUTINES SIZE_MAX

struct source_line {
	size_t routine, line;        /* the key; line 0: unknown */
	const struct line_time *cpu; /* NULL: no sample has the line in its call path */
	uint64_t wait_ns, waits;
	uint64_t blame_ns;
	uint64_t mpi_ns, mpi_calls;
	double omp_ns;
	unsigned first, last; /* lines that are one entry with it (symbols/dwarf_rows.h), of which
				 no other has figures; 0: it is alone */
	const struct counter_place *counted; /* NULL: no event, and no CPU time beside one */
};

struct source_lines {
	struct source_line *rows; /* those at which most time was spent first */
	size_t count;
	struct keyed_table *ends; /* of each file the last line with figures */
};

/* Waits for objects, and in the OpenMP runtime. */
double source_line_waited_ns(const struct source_line *line);
/* Thread time spent at the line: in its own code, and in waits. (Time in MPI calls is often CPU
 * time, but of code of the MPI library.) */
double source_line_spent_ns(const struct source_line *line);
/* Was an event counted in its own code? */
bool source_line_has_counts(const struct source_line *line);

struct source_lines source_lines_of(const struct run *run);
/* Of rows that were made elsewhere; takes ownership of them. */
struct source_lines source_lines_sorted(const struct run *run, struct source_line *rows,
					size_t count);
/* The last line of the file that any figure names; 0: none. file: as routines have it, where equal
 * files are one text. */
unsigned source_lines_end(const struct source_lines *lines, const char *file);
void source_lines_clear(struct source_lines *lines);
