/* SPDX-License-Identifier: MIT */
#include "analyze/report/sections.h"

#include "analyze/model/common/io_direction.h"
#include "analyze/model/sync/sync_io_rows.h"
#include "analyze/report/row_fields.h"

#include <json-c/json.h>

/* For a job the ranks are shown: tables that repeat the same make it longer, not clearer. */
static bool is_job(const struct report *report)
{
	return report->run->mpi.ranks.count > 1;
}

bool report_has_processes(const struct report *report)
{
	const struct run *run = report->run;

	return run->process_count > 1 &&
	       !(is_job(report) && run->mpi.ranks.count == run->process_count);
}

#define FEW_PROCESSES 5

/* Of many processes text has the programs. */
static bool has_programs(const struct report *report)
{
	return report_has_processes(report) && report->run->process_count > FEW_PROCESSES;
}

static bool has_few_processes(const struct report *report)
{
	return report_has_processes(report) && report->run->process_count <= FEW_PROCESSES;
}

static bool has_threads(const struct report *report)
{
	const struct mpi *mpi = &report->run->mpi;

	return !is_job(report) || mpi->efficiency.units > mpi->ranks.count;
}

/* MPI libraries have locks of their own; for a job the table is shown from 1 % of its time on. */
static bool has_synchronization(const struct report *report)
{
	const struct run *run = report->run;
	double wait_ns = 0;

	for (size_t i = 0; i < run->synchronization.count; i++)
		wait_ns += io_is_io(run->synchronization.rows[i].operation)
				   ? 0
				   : (double)run->synchronization.rows[i].wait_ns;
	return !is_job(report) ||
	       100 * wait_ns >= run->mpi.efficiency.elapsed_ns * (double)run->mpi.efficiency.units;
}

/* Every program loads a file and writes a line: that is not worth a table. */
static bool has_io(const struct report *report)
{
	struct io_rows rows = io_rows_of(&report->run->synchronization);
	bool has = rows.calls >= 1000 ||
		   (rows.wait_ns && 100 * rows.wait_ns >= report->run->elapsed_ns);

	io_rows_clear(&rows);
	return has;
}

static bool has_requests(const struct report *report)
{
	return report->run->requests.answered > 0;
}

static bool has_sections(const struct report *report)
{
	return report->run->sections.count || report->run->sections.mark_count;
}

/* A shell that takes what a command prints waits for it, for an instant. Ranks speak by MPI. */
static bool has_pipelines(const struct report *report)
{
	const struct pipelines *all = &report->run->pipelines;
	double wait_ns = 0;

	for (size_t i = 0; i < all->count; i++)
		wait_ns += all->rows[i].wait_ns;
	return !is_job(report) && wait_ns > 0 && 100 * wait_ns >= (double)report->run->elapsed_ns;
}

static bool has_stuck(const struct report *report)
{
	return report->run->stuck.verdict_count > 0;
}

static bool has_notes(const struct report *report)
{
	return report->run->notes.count > 0;
}

static bool has_mpi(const struct report *report)
{
	return report->run->mpi.is_used;
}

static bool has_sizes(const struct report *report)
{
	const struct mpi_site_lists *lists = &report->run->mpi.lists;

	for (size_t i = 0; i < lists->call_count; i++)
		if (histogram_count(&lists->calls[i].sizes))
			return true;
	return false;
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

/* The whole report has the routines. */
static bool is_asked_for(const struct report *report)
{
	(void)report;
	return false;
}

/* Where code was compiled for it. */
static bool has_calls(const struct report *report)
{
	return report->run->calls.count > 0;
}

static bool has_openmp(const struct report *report)
{
	return report->run->omp.is_used;
}

static bool has_counters(const struct report *report)
{
	return counters_are_there(&report->run->counters);
}

#define SECTION(name_, title_, key_, part_, worth, rows, columns_, defines_, help_)                \
	{.name = #name_,                                                                           \
	 .title = title_,                                                                          \
	 .defines = defines_,                                                                      \
	 .help = help_,                                                                            \
	 .json_key = #key_,                                                                        \
	 .is_worth_text = worth,                                                                   \
	 .print_text = report_##name_##_text,                                                      \
	 .make_json = report_##key_##_json,                                                        \
	 .part = part_,                                                                            \
	 columns_,                                                                                 \
	 .make_rows = rows},
#define HEAD(text)   .columns = text
#define FIELDS(kind) .fields = &kind##_fields
#define KEY(key_)    {.name = #key_, .json_key = #key_, .make_json = report_##key_##_json},

const struct report_section report_sections[] = {
#include "analyze/report/sections.def"
};
const size_t report_section_count = sizeof report_sections / sizeof *report_sections;
