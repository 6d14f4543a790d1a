/* SPDX-License-Identifier: MIT */
#include "analyze/report/sections.h"

#include "analyze/html/html_sections.h"
#include "analyze/report/columns.h"

#include <json-c/json.h>

/* Of a job the ranks are shown: tables that say the same once more make it longer, not clearer. */
static bool is_job(const struct report *report)
{
	return report->run->mpi.ranks.count > 1;
}

static bool has_processes(const struct report *report)
{
	const struct run *run = report->run;

	return run->process_count > 1 &&
	       !(is_job(report) && run->mpi.ranks.count == run->process_count);
}

static bool has_threads(const struct report *report)
{
	const struct mpi *mpi = &report->run->mpi;

	return !is_job(report) || mpi->efficiency.units > mpi->ranks.count;
}

/* MPI libraries have locks of their own; in a job they are worth a table from 1 % of its time on.
 */
static bool has_synchronization(const struct report *report)
{
	const struct run *run = report->run;
	double wait_ns = 0;

	for (size_t i = 0; i < run->synchronization.count; i++)
		wait_ns += (double)run->synchronization.rows[i].wait_ns;
	return !is_job(report) ||
	       100 * wait_ns >= run->mpi.efficiency.elapsed_ns * (double)run->mpi.efficiency.units;
}

static bool has_notes(const struct report *report)
{
	return report->run->notes.count > 0;
}

static bool has_mpi(const struct report *report)
{
	return report->run->mpi.is_used;
}

static bool has_ranks(const struct report *report)
{
	return report->run->mpi.ranks.count > 0;
}

static bool has_peers(const struct report *report)
{
	return report->run->mpi.pairs.count > 0;
}

static bool has_collectives(const struct report *report)
{
	return report->run->mpi.collectives.count > 0;
}

static bool has_openmp(const struct report *report)
{
	return report->run->omp.is_used;
}

struct json_object *report_empty_json(const struct report *report)
{
	(void)report;
	return json_object_new_array();
}

/* In the order of the report. Rows without a print_text are keys of the JSON only. */
/* clang-format off: sentences break where they read best */
const struct report_section report_sections[] = {
	{"overview", "what ran, how much of the processors it used, and what to fix first",
	 "efficiency = CPU time / (processors x elapsed time), of all processes together", "run",
	 NULL, report_overview_text, report_overview_json, NULL, html_overview, COLUMNS_OF_PAIRS, NULL},
	{"concurrency",
	 "time with i threads at once on a processor, and useful (in no wait besides)",
	 "while executing, E = T - T_0 (Malony): CU_i = T_i / E; CAVG = sum(i CU_i); CEFF =\n"
	 "CAVG / processors (n); limit = 1 / CU_1, the most that further processors could give.\n"
	 "Of elapsed time T: average = sum(i T_i) / T; efficiency = average / n; sequential =\n"
	 "T_1 / T; limit = T / (T_0 + T_1), as time with nobody active may stay, too. at 2n, 4n:\n"
	 "speed-up if the time with two threads or more were halved, quartered",
	 "concurrency", NULL, report_concurrency_text, report_concurrency_json, NULL,
	 html_concurrency, COLUMNS_OF_PAIRS, NULL},
	{"threads", "lifetime = user + system + ready (no processor free) + blocked, and for what",
	 "blocked time is measured where context-switch records cover the thread's life,\n"
	 "otherwise it is the remainder; 'other' is what no wrapped wait explains: input and\n"
	 "output, page faults, other system calls. Left out of the whole report of an MPI job\n"
	 "whose ranks have one thread each: the ranks tell the same",
	 "threads", has_threads, report_threads_text, report_threads_json, NULL, html_threads, COLUMNS_OF_THREADS,
	 NULL},
	{"synchronization",
	 "calls, those that waited, and how long; where they waited and who caused it",
	 "'waits' is the routine of the program in which most of the waiting was done, 'by' the\n"
	 "one that caused most of it: it held the lock, came last to the barrier, woke the\n"
	 "condition, or ran in the thread that was joined. Left out of the whole report of an\n"
	 "MPI job when it is below 1 % of the ranks' time",
	 "synchronization", has_synchronization, report_synchronization_text,
	 report_synchronization_json, NULL, html_synchronization, COLUMNS_OF_SYNCHRONIZATION,
	 report_synchronization_rows},
	{"routines",
	 "CPU time and share of elapsed time by routine; alone: no other thread of the process ran",
	 "self: its own code, sampled, with one standard deviation as error; total: with all\n"
	 "that it calls; elapsed: with i threads on a processor each has an i-th of the time;\n"
	 "alone: the part of elapsed at i = 1. The two sum to T - T_0 and T_1. average: threads on\n"
	 "a processor meanwhile, CPU time / elapsed, of the total where there is no self time;\n"
	 "threads: how many ran it. [unsampled]: CPU time that no sample claimed. JSON has the\n"
	 "spread over threads, or processes (--by)",
	 "routines", NULL, report_routines_text, report_routines_json, NULL, html_routines, COLUMNS_OF_ROUTINES, NULL},
	{"openmp", "parallel regions of OpenMP, those first where most can be gained, and why",
	 "serial: lives of the threads that start teams, outside of regions; efficiencies as TALP\n"
	 "defines them: useful time / (useful + lost), lost while one works alone (serialization),\n"
	 "as members work unequally (load balance), as nobody works (scheduling). work: of one\n"
	 "member over all executions; waits: of all members in the runtime; imbal.: waits at the\n"
	 "closing barrier / (team x elapsed); gain: waits at barriers / team: by how much the\n"
	 "region could be shorter. time of a construct: waiting for others, or for a lock; of a\n"
	 "loop or sections: handing out their pieces",
	 "openmp", has_openmp, report_openmp_text, report_openmp_json, "regions", html_openmp, COLUMNS_OF_OPENMP, NULL},
	{"mpi", "efficiency of the job: parallel = load balance x communication (POP)",
	 "U = useful time of a rank / its threads that execute the program, R = elapsed time;\n"
	 "parallel = mean U / R, load balance = mean U / max U, communication = max U / R.\n"
	 "useful: on a processor and in no wait; time in MPI calls is waiting, polling included",
	 "mpi", has_ranks, report_mpi_text, report_mpi_json, "efficiency", html_mpi, COLUMNS_OF_PAIRS, NULL},
	{"mpi_calls", "time in MPI calls; share: of the ranks' time; min, mean, max: over ranks",
	 "a rank that never made the call counts as 0; bytes as the arguments say (sent) and as\n"
	 "arrived (received); MPI_Irecv receives when it completes",
	 "mpi", has_mpi, report_mpi_calls_text, report_mpi_json, "calls", html_mpi_calls, COLUMNS_OF_MPI_CALLS, NULL},
	{"mpi_sites", "the places that call MPI; CoV: deviation / mean of the ranks' times there",
	 "a place is the innermost code outside the MPI library and its bindings; max on: the\n"
	 "rank with the most time; in flight: from the return of a nonblocking call until the\n"
	 "call that completed it returned; overlap: the part of it not spent in such calls",
	 "mpi", has_mpi, report_mpi_sites_text, report_mpi_json, "sites", html_mpi_sites, COLUMNS_OF_MPI_SITES, NULL},
	{"ranks", "time of the ranks, those first that differ most; outlier: beyond 2 deviations",
	 "an outlier also differs by more than 5 % of the mean elapsed time; times are sums over\n"
	 "the rank's threads; ready may be inside of MPI calls or outside",
	 "mpi", has_ranks, report_ranks_text, report_mpi_json, "ranks", html_ranks, COLUMNS_OF_RANKS, NULL},
	{"collectives",
	 "time that ranks waited in collective calls for one that had not entered yet",
	 "for the last one, and in MPI_Bcast and MPI_Scatter for the root; charged to that rank;\n"
	 "recorded: calls that all ranks of the communicator have recorded, of all such calls\n"
	 "(times); where it is fewer the time is extrapolated and estimated, as it is between\n"
	 "hosts, and where only the instant of leaving tells that a rank waited",
	 "mpi", has_collectives, report_collectives_text, report_mpi_json, "collectives",
	 html_collectives, COLUMNS_OF_COLLECTIVES, NULL},
	{"peers",
	 "messages sent and received by two ranks, as the first saw them, most bytes first",
	 "waited: in blocking receives, and waits for one request, that ended with a message from\n"
	 "the peer; JSON has the whole matrix",
	 "mpi", has_peers, report_peers_text, report_mpi_json, "peers", html_peers, COLUMNS_OF_PEERS, NULL},
	{"processes", "one line per process image, in the order of their starts",
	 "a process that calls exec goes on as its next image. Left out of the whole report when\n"
	 "all of them are ranks",
	 "processes", has_processes, report_processes_text, report_processes_json, NULL,
	 html_processes, COLUMNS_OF_PROCESSES, NULL},
	{"findings", "what the run could be shorter without, the most at stake first; stakes overlap",
	 "the share is what could be won of the elapsed time at most if the cause were gone; of\n"
	 "more threads than processors it is ready time / time in which threads wanted to run",
	 "findings", NULL, report_findings_text, report_findings_json, NULL, html_findings, COLUMNS_OF_FINDINGS, NULL},
	{"notes", "what could not be seen, and why",
	 "how processes ended, what files lack, which threads still waited, what the profiler\n"
	 "had to leave out",
	 "notes", has_notes, report_notes_text, report_notes_json, NULL, html_notes, COLUMNS_OF_TEXTS, NULL},
	{"calls", "", "", "calls", NULL, NULL, report_calls_json, NULL, NULL, NULL, NULL},
	{"counters", "", "", "counters", NULL, NULL, report_empty_json, NULL, NULL, NULL, NULL},
};
/* clang-format on */
const size_t report_section_count = sizeof report_sections / sizeof *report_sections;
