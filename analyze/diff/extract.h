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
 * program's own threads explain (extract_given.c).
 *
 * What figures a row has is said once, in the report's list of its fields (places DIFF), which
 * extract_fields reads; an extractor says which rows, under which keys, and what their times mean
 * in elapsed time. Context: one thread; asks the model and its names only. */
#pragma once

#include "analyze/diff/figures.h"
#include "analyze/model/run/carried.h"
#include "analyze/model/run/run.h"
#include "analyze/report/report.h"

struct row_fields;

struct extract {
	struct figures *figures;
	const struct run *run;
	struct report report; /* of the run alone: what getters of lists of fields are given */
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

/* What the extractor knows of a row, and its list of fields does not. */
struct extract_row {
	struct figure like; /* where its figures belong, and what all of them are; the error is that
			       of its times */
	enum figure_role role; /* of those with ROLE_OF_ROW */
	struct {
		double times, by; /* elapsed time = time x times / by; 0: nothing can be said */
	} scale[TIME_KINDS];
	uint64_t samples; /* of its CPU time */
	bool is_sparse;   /* what is 0 in it is no figure */
};

/* The figures of a row by its list of fields: of lines with a place DIFF, and of those that are
 * carried. Without a key in `like`, each has its metric for a key. A value NONE is no figure, one
 * that is unknown is NAN. */
void extract_fields(const struct extract *extract, const struct extract_row *of,
		    const struct row_fields *fields, const void *row);

/* The figures of a row that are carried to every output (carried.h), but for those that are 0:
 * `like` says where they belong, and what they are but for metric, unit and value; without a key
 * there, each has its own. They are neutral, and all but bytes are further ones. row: NULL if they
 * are not known. */
void extract_carried(const struct extract *extract, const struct figure *like,
		     const struct carried *carried, const void *row);

void extract_overview(const struct extract *extract);
void extract_concurrency(const struct extract *extract);
void extract_sections(const struct extract *extract);
void extract_states(const struct extract *extract);
void extract_routines(const struct extract *extract);
void extract_lines(const struct extract *extract);
void extract_paths(const struct extract *extract);
void extract_synchronization(const struct extract *extract);
void extract_requests(const struct extract *extract);
void extract_mpi(const struct extract *extract);
void extract_openmp(const struct extract *extract);
void extract_counters(const struct extract *extract);
/* The tables of the profiles that no other extractor knows, by the schemas in the profiles. */
void extract_tables(const struct extract *extract);
