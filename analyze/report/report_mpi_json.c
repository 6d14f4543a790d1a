/* SPDX-License-Identifier: MIT */
/* The key "mpi" of the JSON: everything that the sections on MPI show, without a limit of rows. */
#include "analyze/base/memory.h"
#include "analyze/print/json.h"
#include "analyze/report/report_carried.h"
#include "analyze/report/report_mpi_sizes.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>

static struct json_object *seconds_of(double ns)
{
	return json_number(ns / 1e9);
}

static void add_figures(struct json_object *object, const struct mpi_figures *figures)
{
	json_add(object, "count", json_count(figures->count));
	json_add(object, "seconds", json_seconds(figures->sum_ns));
	json_add(object, "shortest_seconds", json_seconds(figures->shortest_ns));
	json_add(object, "longest_seconds", json_seconds(figures->longest_ns));
	report_add_carried(object, &carried_by_mpi_figures, figures);
	json_add(object, "overlap", json_number(mpi_figures_overlap(figures)));
}

static void add_spread(struct json_object *object, const struct mpi_spread *spread)
{
	bool is_known = spread->ranks;

	json_add(object, "min_seconds", is_known ? seconds_of(spread->min_ns) : NULL);
	json_add(object, "mean_seconds", is_known ? seconds_of(spread->mean_ns) : NULL);
	json_add(object, "max_seconds", is_known ? seconds_of(spread->max_ns) : NULL);
	json_add(object, "max_rank", json_rank(spread->max_rank));
	json_add(object, "ranks", json_count(spread->ranks));
	json_add(object, "cov", json_number(mpi_spread_variation(spread)));
}

/* Of the ranks' time. */
static struct json_object *share_json(const struct mpi *mpi, const struct mpi_site *row)
{
	return json_number(100 * (double)row->figures.sum_ns / (mpi->time_ns + mpi->unranked_ns));
}

static struct json_object *calls_json(const struct mpi *mpi)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < mpi->lists.call_count; i++) {
		const struct mpi_site *row = &mpi->lists.calls[i];
		struct json_object *object = json_object_new_object();

		json_add(object, "call", json_text(row->call));
		json_add(object, "percent", share_json(mpi, row));
		add_figures(object, &row->figures);
		add_spread(object, &row->spread);
		json_object_array_add(list, object);
	}
	return list;
}

static struct json_object *sites_json(const struct report *report)
{
	const struct mpi_site_lists *lists = &report->run->mpi.lists;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < lists->site_count; i++) {
		const struct mpi_site *row = &lists->sites[i];
		struct json_object *object = json_object_new_object();

		json_add(object, "call", json_text(row->call));
		report_add_place(report, object, row->routine, row->line);
		json_add(object, "percent", share_json(&report->run->mpi, row));
		add_figures(object, &row->figures);
		add_spread(object, &row->spread);
		json_object_array_add(list, object);
	}
	return list;
}

static struct json_object *peers_json(const struct mpi *mpi)
{
	struct json_object *list = json_object_new_array();
	const struct mpi_pairs *pairs = &mpi->pairs;

	for (size_t i = 0; i < pairs->count; i++) {
		const struct mpi_pair *pair = &pairs->rows[i];
		struct json_object *object = json_object_new_object();

		json_add(object, "rank", json_rank(pair->rank));
		json_add(object, "peer", json_rank(pair->peer));
		report_add_carried(object, &carried_by_mpi_pair, pair);
		json_add(object, "job", json_count(mpi_jobs_number(&mpi->jobs, pair->job)));
		json_object_array_add(list, object);
	}
	return list;
}

static struct json_object *rank_json(const struct run *run, const struct mpi_rank *rank,
				     const char *outlier)
{
	const struct process *process = &run->processes[rank->process];
	struct json_object *object = json_object_new_object();

	json_add(object, "rank", json_rank(rank->rank));
	json_add(object, "size", json_count(rank->size));
	json_add(object, "host", json_text(rank->host));
	json_add(object, "pid", json_count(process->file->header.pid));
	json_add(object, "status", json_text(process->status));
	json_add(object, "library", json_text(rank->library));
	json_add(object, "units", json_count(rank->units));
	json_add(object, "useful_seconds", seconds_of(rank->useful_ns));
	json_add(object, "useful_grade", json_text(report_grade_text(rank->useful_grade)));
	json_add(object, "mpi_seconds", json_seconds(rank->mpi_ns));
	json_add(object, "wait_seconds", json_seconds(rank->wait_ns));
	json_add(object, "ready_seconds", json_seconds(rank->ready_ns));
	json_add(object, "cpu_seconds", json_seconds(rank->cpu_ns));
	json_add(object, "elapsed_seconds", json_seconds(rank->end_ns - rank->start_ns));
	json_add(object, "outlier", json_text(outlier));
	json_add(object, "finalized", json_object_new_boolean(rank->flags & MPI_FINALIZED));
	json_add(object, "job", json_count(mpi_jobs_number(&run->mpi.jobs, rank->job)));
	return object;
}

static struct json_object *ranks_json(const struct run *run)
{
	const struct mpi *mpi = &run->mpi;
	struct json_object *list = json_object_new_array();
	const char **outliers = memory_allocate(mpi->ranks.count, sizeof *outliers);

	for (size_t i = 0; i < mpi->ranks.count; i++)
		outliers[mpi->outliers[i].index] = mpi->outliers[i].why;
	for (size_t i = 0; i < mpi->ranks.count; i++)
		json_object_array_add(list, rank_json(run, &mpi->ranks.rows[i], outliers[i]));
	free(outliers);
	return list;
}

static struct json_object *late_json(const struct report *report, const struct mpi_collective *row)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < row->late_count; i++) {
		const struct mpi_late *late = &row->late[i];
		struct json_object *object = json_object_new_object();

		json_add(object, "rank", json_rank(late->rank));
		json_add(object, "seconds", seconds_of(late->lost_ns));
		report_add_place(report, object, late->routine, late->line);
		json_object_array_add(list, object);
	}
	return list;
}

static struct json_object *collectives_json(const struct report *report)
{
	const struct mpi_collectives *all = &report->run->mpi.collectives;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < all->count; i++) {
		const struct mpi_collective *row = &all->rows[i];
		struct json_object *object = json_object_new_object();

		json_add(object, "call", json_text(row->call));
		json_add(object, "communicator_size", json_count(row->size));
		json_add(object, "count", json_count(row->count));
		json_add(object, "recorded", json_count(row->recorded));
		json_add(object, "lost_seconds", row->recorded ? seconds_of(row->lost_ns) : NULL);
		json_add(object, "late", late_json(report, row));
		json_add(object, "grade", json_text(report_grade_text(row->grade)));
		json_object_array_add(list, object);
	}
	return list;
}

static struct json_object *efficiency_json(const struct mpi *mpi)
{
	const struct mpi_efficiency *efficiency = &mpi->efficiency;
	struct json_object *object = json_object_new_object();

	json_add(object, "grade", json_text(report_grade_text(efficiency->grade)));
	json_add(object, "parallel", json_number(efficiency->parallel));
	json_add(object, "load_balance", json_number(efficiency->load_balance));
	json_add(object, "communication", json_number(efficiency->communication));
	json_add(object, "inner_load_balance", json_number(efficiency->inner_load_balance));
	json_add(object, "outer_load_balance", json_number(efficiency->outer_load_balance));
	json_add(object, "average_useful_seconds", seconds_of(efficiency->average_useful_ns));
	json_add(object, "max_useful_seconds", seconds_of(efficiency->max_useful_ns));
	json_add(object, "max_useful_rank", json_rank(efficiency->max_rank));
	json_add(object, "elapsed_seconds", seconds_of(efficiency->elapsed_ns));
	json_add(object, "ranks", json_count(mpi->ranks.count));
	json_add(object, "units", json_count(efficiency->units));
	json_add(object, "average_active", json_number(efficiency->average_active));
	/* the same by another way: see the key "concurrency" */
	json_add(object, "timeline_parallel", json_number(mpi->useful.efficiency_percent / 100));
	json_add(object, "clock_error_seconds", seconds_of(mpi_clocks_error(&mpi->clocks)));
	return object;
}

static struct json_object *jobs_json(const struct mpi_jobs *jobs)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < jobs->count; i++) {
		const struct mpi_job *job = &jobs->rows[i];
		struct json_object *object = json_object_new_object();

		json_add(object, "job", json_count(i + 1));
		json_add(object, "ranks", json_count(job->count));
		json_add(object, "size", json_count(job->size));
		json_add(object, "spawned", json_object_new_boolean(job->is_spawned));
		json_add(object, "parent",
			 job->parent == MPI_NO_JOB ? NULL : json_count(job->parent + 1));
		json_add(object, "parallel", json_number(job->efficiency.parallel));
		json_add(object, "load_balance", json_number(job->efficiency.load_balance));
		json_add(object, "communication", json_number(job->efficiency.communication));
		json_add(object, "elapsed_seconds", seconds_of(job->efficiency.elapsed_ns));
		json_add(object, "grade", json_text(report_grade_text(job->efficiency.grade)));
		json_object_array_add(list, object);
	}
	return list;
}

struct json_object *report_mpi_json(const struct report *report)
{
	const struct mpi *mpi = &report->run->mpi;

	if (!mpi->is_used)
		return NULL;
	struct json_object *object = json_object_new_object();

	json_add(object, "calls", calls_json(mpi));
	json_add(object, "sites", sites_json(report));
	json_add(object, "peers", peers_json(mpi));
	json_add(object, "ranks", ranks_json(report->run));
	json_add(object, "collectives", collectives_json(report));
	json_add(object, "efficiency", mpi->ranks.count ? efficiency_json(mpi) : NULL);
	json_add(object, "jobs", jobs_json(&mpi->jobs));
	json_add(object, "sizes", report_mpi_sizes_json(mpi));
	return object;
}
