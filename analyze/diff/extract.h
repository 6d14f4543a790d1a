/* SPDX-License-Identifier: MIT */
/* From the model of a run to its figures: one extractor for each part of the model, in the table
 * diff_extractors. A new part is a file figures_NAME.c and a row in that table.
 *
 * What a thread's time means in elapsed time depends on how many threads run, or could run, at
 * once:
 *   busy       processors in use on average (CPU time / elapsed time), at least 1: for CPU time
 *   threads    threads alive on average that are not idle, and do not wait for other threads or
 *              processes to end: for waits
 *   processes  processes on a processor on average, at least 1 (sum of min(CPU time, elapsed time)
 *              / elapsed time of the run): for routines, whose concurrency is that of a process
 *
 * Other programs are noticed if threads were ready without a processor for longer than the
 * program's own threads explain (figures_load.c). Context: one thread; asks the model and its names
 * only. */
#pragma once

#include "analyze/diff/figures.h"
#include "analyze/model/run/carried.h"
#include "analyze/model/run/run.h"

struct extract {
	struct figures *figures;
	const struct run *run;
	double busy, threads, processes;
	struct idle {
		double lifetime_ns; /* of idle threads, without waits for others to end */
		double by_cause_ns[CAUSE_LIMIT]; /* for which they were blocked */
		double others_ns[CAUSE_LIMIT];   /* for which all others were */
	} idle;
	struct load {
		double elapsed_ns; /* for which other programs may account */
		double share;      /* fraction of CPU time in which they ran */
		double processors; /* processors that they took from the program, on average */
	} load;
};

struct diff_extractor {
	enum figure_section section;
	void (*extract)(const struct extract *extract);
};

extern const struct diff_extractor diff_extractors[];
extern const size_t diff_extractor_count;

struct idle extract_idle(const struct run *run);
/* The least part that idle threads have in a wait of this length: what exceeds the waits of all
 * others. */
double extract_idle_part(const struct extract *extract, enum cause cause, double wait_ns);
struct load extract_load(const struct run *run, double threads);

/* All figures of a run. */
struct figures *extract_figures(const struct run *run);

/* The figures of a row that are carried to every output (carried.h), but for those that are 0:
 * `like` says where they belong, and what they are but for metric, unit and value; without a key
 * there, each has its own. They are neutral, and all but bytes are further ones. row: NULL if they
 * are not known. */
void extract_carried(const struct extract *extract, const struct figure *like,
		     const struct carried *carried, const void *row);

void extract_overview(const struct extract *extract);
void extract_concurrency(const struct extract *extract);
void extract_states(const struct extract *extract);
void extract_routines(const struct extract *extract);
void extract_lines(const struct extract *extract);
void extract_paths(const struct extract *extract);
void extract_synchronization(const struct extract *extract);
void extract_mpi(const struct extract *extract);
void extract_openmp(const struct extract *extract);
void extract_counters(const struct extract *extract);
/* The tables of the profiles that no other extractor knows, by the schemas in the profiles. */
void extract_tables(const struct extract *extract);
