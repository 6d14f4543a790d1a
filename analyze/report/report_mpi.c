/* SPDX-License-Identifier: MIT */
/* The job as a whole: how much of the ranks' time was useful, and what took the rest. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report.h"
#include "analyze/report/report_mpi.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>

#define JOBS_SHOWN 5 /* all of them are in the JSON */

static char *graded_percent(const struct report *report, double fraction)
{
	return text_graded(text_percent(100 * fraction), report->run->mpi.efficiency.grade,
			   report->is_utf8);
}

/* "2 of 4", "5 of 6 in 2 jobs" */
static char *rank_count_text(const struct mpi *mpi)
{
	uint64_t size = 0;

	for (size_t i = 0; i < mpi->jobs.count; i++)
		size += mpi->jobs.rows[i].size;
	return mpi->jobs.count > 1
		       ? memory_print("%zu of %llu in %zu jobs", mpi->ranks.count,
				      (unsigned long long)size, mpi->jobs.count)
		       : memory_print("%zu of %llu", mpi->ranks.count, (unsigned long long)size);
}

uint64_t report_mpi_library_threads(const struct mpi *mpi)
{
	uint64_t threads = 0;

	for (size_t i = 0; i < mpi->ranks.count; i++)
		threads += mpi->ranks.rows[i].library_threads;
	return threads;
}

/* " and 6 of the MPI library" */
static char *library_threads_text(const struct mpi *mpi)
{
	uint64_t threads = report_mpi_library_threads(mpi);

	return threads ? memory_print(" and %llu of the MPI library", (unsigned long long)threads)
		       : memory_copy_text("");
}

char *report_mpi_threads_text(const struct run *run)
{
	uint64_t of_library = report_mpi_library_threads(&run->mpi);
	uint64_t all = run->thread_count, own = all > of_library ? all - of_library : 0;
	char *library = library_threads_text(&run->mpi);
	char *text = memory_print("%s%s", quantity_things((double)own, "thread").text, library);

	free(library);
	return text;
}

static char *ranks_text(const struct mpi *mpi)
{
	const struct mpi_rank *first = &mpi->ranks.rows[0];
	char *ranks = rank_count_text(mpi);
	char *hosts = mpi->clocks.host_count == 1
			      ? memory_copy_text(first->host)
			      : memory_print("%zu hosts", mpi->clocks.host_count);
	char *library = library_threads_text(mpi);
	char *text = memory_print("%s on %s, %llu thread%s that execute the program%s; %s", ranks,
				  hosts, (unsigned long long)mpi->efficiency.units,
				  mpi->efficiency.units == 1 ? "" : "s", library, first->library);

	free(ranks);
	free(hosts);
	free(library);
	return text;
}

static char *efficiency_text(const struct report *report)
{
	const struct mpi_efficiency *efficiency = &report->run->mpi.efficiency;
	char *parallel = graded_percent(report, efficiency->parallel);
	char *factors = report_mpi_factors(report, efficiency);
	char *text = memory_print("%s = %s", parallel, factors);

	free(parallel);
	free(factors);
	return text;
}

/* One of several jobs. */
static char *job_text(const struct report *report, size_t number)
{
	const struct mpi *mpi = &report->run->mpi;
	const struct mpi_job *job = &mpi->jobs.rows[number];
	char *parallel = text_graded(text_percent(100 * job->efficiency.parallel),
				     job->efficiency.grade, report->is_utf8);
	char *elapsed = text_seconds(job->efficiency.elapsed_ns);
	char *origin =
		job->parent != MPI_NO_JOB
			? memory_print(", started by MPI_Comm_spawn of job %zu", job->parent + 1)
			: memory_copy_text(job->is_spawned ? ", started by MPI_Comm_spawn" : "");
	const struct process *first = &report->run->processes[mpi->ranks.rows[job->first].process];
	char *text =
		memory_print("%zu: %zu of %llu ranks, %s elapsed, parallel efficiency %s%s; %s",
			     number + 1, job->count, (unsigned long long)job->size, elapsed,
			     parallel, origin, first->file->process.command);

	free(parallel);
	free(elapsed);
	free(origin);
	return text;
}

static char *balance_text(const struct report *report)
{
	const struct mpi_efficiency *efficiency = &report->run->mpi.efficiency;
	char *inner = graded_percent(report, efficiency->inner_load_balance);
	char *outer = graded_percent(report, efficiency->outer_load_balance);
	char *text = memory_print("inside hosts %s x between hosts %s", inner, outer);

	free(inner);
	free(outer);
	return text;
}

static char *useful_text(const struct report *report)
{
	const struct mpi_efficiency *efficiency = &report->run->mpi.efficiency;
	char *mean =
		report_graded_seconds(report, efficiency->average_useful_ns, efficiency->grade);
	char *most = report_graded_seconds(report, efficiency->max_useful_ns, efficiency->grade);
	char *elapsed = text_seconds(efficiency->elapsed_ns);
	char *text =
		report->run->mpi.jobs.count > 1
			? memory_print(
				  "%s on average, %s at most, of %s elapsed: means of the jobs",
				  mean, most, elapsed)
			: memory_print("%s on average, %s at most (rank %llu), of %s elapsed", mean,
				       most, (unsigned long long)efficiency->max_rank, elapsed);

	free(mean);
	free(most);
	free(elapsed);
	return text;
}

static char *share_text(double part, double whole)
{
	return whole > 0 ? text_percent(100 * part / whole) : memory_copy_text("?");
}

/* Of the threads that execute the program; the remainder is time that nothing measured explains. */
static char *other_time_text(const struct mpi *mpi)
{
	double waits = 0, ready = 0, whole = mpi->time_ns;

	for (size_t i = 0; i < mpi->ranks.count; i++) {
		waits += (double)mpi->ranks.rows[i].wait_ns;
		ready += (double)mpi->ranks.rows[i].ready_ns;
	}
	char *wait_share = share_text(waits, whole), *ready_share = share_text(ready, whole);
	char *text = memory_print("%s in other waits, %s ready for a processor (in MPI or not)",
				  wait_share, ready_share);

	free(wait_share);
	free(ready_share);
	return text;
}

/* Where the time of the ranks went: that in MPI is a share of their elapsed time. */
static char *time_text(const struct report *report)
{
	const struct mpi *mpi = &report->run->mpi;
	bool have_one_each = mpi->efficiency.units == mpi->ranks.count;
	char *in_mpi = report_mpi_share(report, &mpi->between.whole_share);
	char *other = other_time_text(mpi);
	char *text = memory_print("%s in MPI calls%s %s", in_mpi,
				  have_one_each ? "," : "; of the threads' time", other);

	free(in_mpi);
	free(other);
	return text;
}

static char *clocks_text(const struct mpi_clocks *clocks)
{
	double error = mpi_clocks_error(clocks);
	char *seconds = isfinite(error) ? text_seconds(error) : memory_copy_text("?");
	char *text = memory_print("aligned between hosts by MPI_Init and MPI_Finalize, wrong by at "
				  "most %s",
				  seconds);

	free(seconds);
	return text;
}

char *report_mpi_summary(const struct report *report)
{
	const struct mpi *mpi = &report->run->mpi;

	if (!mpi->ranks.count)
		return NULL;
	char *efficiency = report_mpi_efficiency_summary(report);
	char *ranks = rank_count_text(mpi);
	bool is_one = mpi->jobs.count == 1 && mpi->jobs.rows[0].size == 1;
	char *text = memory_print("%s%s; %s", ranks,
				  mpi->jobs.count > 1 ? ""
				  : is_one            ? " rank"
						      : " ranks",
				  efficiency);

	free(ranks);
	free(efficiency);
	return text;
}

static void add_jobs(struct report_facts *facts, const struct report *report)
{
	size_t count = report->run->mpi.jobs.count;

	if (count < 2)
		return;
	for (size_t i = 0; i < count && i < JOBS_SHOWN; i++)
		report_facts_add(facts, "job", job_text(report, i));
	if (count > JOBS_SHOWN)
		report_facts_add(facts, "job", memory_print("... %zu more", count - JOBS_SHOWN));
}

struct report_facts report_mpi_facts(const struct report *report)
{
	const struct mpi *mpi = &report->run->mpi;
	bool has_hosts = mpi->clocks.host_count > 1;
	struct report_facts facts = {0};

	if (!mpi->ranks.count)
		return facts;
	report_facts_add(&facts, "ranks", ranks_text(mpi));
	report_facts_add(&facts, "parallel", efficiency_text(report));
	report_facts_add(&facts, "load balance", has_hosts ? balance_text(report) : NULL);
	report_facts_add(&facts, "clocks", has_hosts ? clocks_text(&mpi->clocks) : NULL);
	report_facts_add(&facts, "useful", useful_text(report));
	report_facts_add(&facts, "time", time_text(report));
	report_mpi_add_between(&facts, report);
	add_jobs(&facts, report);
	return facts;
}

void report_mpi_text(const struct report *report)
{
	struct report_facts facts = report_mpi_facts(report);

	if (!facts.count)
		fprintf(report->out, "  %s\n", REPORT_NO_RANKS);
	report_facts_print(report, &facts, 12);
	report_facts_clear(&facts);
}

/* ---- the key "mpi" of the JSON: all that the sections on MPI show, without a limit of rows */

#define ROW       const struct mpi_job
#define ROW_NAME  mpi_jobs
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

#define ROW       const struct mpi_between
#define ROW_NAME  mpi_between
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

#define ROW      const struct mpi
#define ROW_NAME mpi_efficiency
#include "analyze/report/define_fields.h"

struct json_object *report_mpi_json(const struct report *report)
{
	const struct mpi *mpi = &report->run->mpi;
	const struct mpi_site_lists *lists = &mpi->lists;

	if (!mpi->is_used)
		return NULL;
	struct json_object *object = json_object_new_object();

	json_add(object, "calls",
		 rows_json(report, &mpi_calls_fields, lists->calls, lists->call_count,
			   sizeof *lists->calls));
	json_add(object, "sites",
		 rows_json(report, &mpi_sites_fields, lists->sites, lists->site_count,
			   sizeof *lists->sites));
	json_add(object, "peers",
		 rows_json(report, &peers_fields, mpi->pairs.rows, mpi->pairs.count,
			   sizeof *mpi->pairs.rows));
	json_add(object, "ranks", report_ranks_rows(report));
	json_add(object, "collectives",
		 rows_json(report, &collectives_fields, mpi->collectives.rows,
			   mpi->collectives.count, sizeof *mpi->collectives.rows));
	json_add(object, "efficiency",
		 mpi->ranks.count ? row_json(report, &mpi_efficiency_fields, mpi) : NULL);
	json_add(object, "jobs",
		 rows_json(report, &mpi_jobs_fields, mpi->jobs.rows, mpi->jobs.count,
			   sizeof *mpi->jobs.rows));
	json_add(object, "sizes",
		 rows_json(report, &mpi_sizes_fields, lists->calls, lists->call_count,
			   sizeof *lists->calls));
	return object;
}
