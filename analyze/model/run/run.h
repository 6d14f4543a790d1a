/* SPDX-License-Identifier: MIT */
/* The model of a run: everything that reports show, computed, as numbers. A report formats it and
 * computes nothing.
 *
 * Context: built once by run_create, which reads the profiles one at a time and adds each to all
 * accumulators (accumulator.h); read-only afterwards. Apart from one row for each process its size
 * is that of what reports show. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/model/concurrency/efficiency.h"
#include "analyze/model/counters/counters.h"
#include "analyze/model/mpi/mpi_accumulator.h"
#include "analyze/model/openmp/omp_accumulator.h"
#include "analyze/model/paths/path_tree.h"
#include "analyze/model/pipelines/pipelines.h"
#include "analyze/model/process/process.h"
#include "analyze/model/requests/requests.h"
#include "analyze/model/sections/sections.h"
#include "analyze/model/stuck/stuck.h"
#include "analyze/model/sync/synchronization.h"
#include "analyze/model/time/call_times.h"
#include "analyze/model/time/imbalance.h"
#include "analyze/model/time/routine_time.h"
#include "analyze/model/time/run_timeline.h"

struct run {
	struct run_files *files;
	struct names *names;
	const char *command;
	char *start; /* ISO 8601 */
	bool is_complete;
	struct process *processes; /* in the order of their starts */
	size_t process_count;
	size_t thread_count; /* threads that ever ran, not rows */
	bool is_folded;      /* there are too many threads to keep a row of each */
	const char **hosts;  /* names */
	size_t host_count;
	bool has_clocks;     /* instants of processes are compared by the time of day */
	uint64_t processors; /* of all hosts; 0: unknown */
	uint64_t elapsed_ns;
	uint64_t own_start_ns; /* of the profiler, in all processes together; no part of elapsed_ns
				*/
	uint64_t cpu_ns;
	uint64_t ready_ns;
	uint64_t beyond_cpu_ns; /* CPU time that no thread's row has, and no other figure */
	uint64_t switches;
	double average_processors; /* in use: CPU time / elapsed */
	double efficiency_percent; /* average_processors / processors */
	double overhead_percent;   /* own cost / CPU time */
	bool is_overhead_bounded;  /* false: it is larger, by an amount that cannot be known */

	const struct process
		*focus; /* the process with the most CPU time: whose concurrency is shown */
	struct efficiency on_processor, useful; /* of the focus */
	struct run_together {
		struct efficiency on_processor, useful;
	} together;                 /* of all processes: run_together.h */
	struct imbalance imbalance; /* of the focus */
	struct synchronization synchronization;
	struct routine_times routines;
	struct call_times calls;
	struct mpi mpi;
	struct omp omp;
	struct run_timeline timeline;
	struct pipelines pipelines;
	struct requests requests;
	struct sections sections;
	struct run_units {
		const char *per; /* NULL: nobody has asked */
		uint64_t count;
	} units;                  /* run_units.h */
	struct stuck stuck;       /* of runs that are not over */
	struct counters counters; /* no events: none were asked for */
	struct path_tree paths;   /* empty without RUN_PATHS */
	struct text_list notes;
	struct text_list module_notes; /* of merged runs, until all names have been looked up */
};

/* What a run is read for. */
enum run_wants {
	RUN_BY_PROCESS = 1, /* spread routine times over processes instead of threads */
	RUN_PATHS = 2,      /* the calling-context tree */
};

void run_destroy(struct run *run);

/* The T_i that are shown: of a job over all its ranks, if they have time lines; of all processes,
 * if no single one has most of the CPU time; otherwise of the focus. */
bool run_is_job(const struct run *run);
bool run_is_of_many(const struct run *run);
const struct efficiency *run_on_processor(const struct run *run);
const struct efficiency *run_useful(const struct run *run);
