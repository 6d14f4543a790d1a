/* SPDX-License-Identifier: MIT */
/* MPI calls by name, by the place that made them, and their messages by size. */
#include "analyze/model/run/carried.h"
#include "analyze/print/json.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

/* Of all threads that execute the program. */
static double thread_time_ns(const struct mpi *mpi)
{
	return mpi->time_ns + mpi->unranked_ns;
}

/* Of the ranks. */
static double elapsed_ns(const struct mpi *mpi)
{
	double ns = mpi->unranked_ns;

	for (size_t i = 0; i < mpi->ranks.count; i++)
		ns += (double)mpi->ranks.rows[i].end_ns - (double)mpi->ranks.rows[i].start_ns;
	return ns;
}

static struct value share_of(const struct mpi_site *row, double whole_ns)
{
	if (!(whole_ns > 0))
		return (struct value){.kind = VALUE_UNKNOWN};
	return (struct value){.kind = VALUE_PERCENT,
			      .real = 100 * (double)row->figures.sum_ns / whole_ns};
}

/* Nothing is known of calls outside of ranks. */
static struct value of_ranks(const struct mpi_site *row, double ns)
{
	if (!row->spread.ranks)
		return (struct value){.kind = VALUE_NONE};
	return (struct value){.kind = VALUE_REAL_SECONDS, .real = ns};
}

#define ROW      const struct mpi_site
#define ROW_NAME mpi_calls
#include "analyze/report/define_fields.h"

#define ROW      const struct mpi_site
#define ROW_NAME mpi_sites
#include "analyze/report/define_fields.h"

void report_mpi_calls_text(const struct report *report)
{
	const struct mpi_site_lists *lists = &report->run->mpi.lists;

	rows_text(report, &mpi_calls_fields, lists->calls, lists->call_count, sizeof *lists->calls);
}

void report_mpi_sites_text(const struct report *report)
{
	const struct mpi_site_lists *lists = &report->run->mpi.lists;

	rows_text(report, &mpi_sites_fields, lists->sites, lists->site_count, sizeof *lists->sites);
}

/* ---- sizes of messages */

/* Messages above 2^above bytes and up to 2^up_to: bin b goes up to 2^(b+1). */
static uint64_t count_between(const struct mpi_site *row, unsigned above, unsigned up_to)
{
	uint64_t count = 0;

	for (unsigned b = above; b < up_to && b < HISTOGRAM_BINS; b++)
		count += row->sizes.bins[b];
	return count;
}

/* Profiles of older versions have no sizes: unknown, where bytes were moved. */
static bool is_known(const struct mpi_site *row)
{
	return histogram_count(&row->sizes) ||
	       (!row->figures.bytes_sent && !row->figures.bytes_received);
}

/* The others have no sizes. */
static bool is_moving(const struct mpi_site *row)
{
	return histogram_count(&row->sizes) || !is_known(row);
}

static struct json_object *sizes_json(const struct histogram *sizes)
{
	struct json_object *list = json_object_new_array();

	for (unsigned b = 0; b < HISTOGRAM_BINS; b++) {
		struct json_object *bin = sizes->bins[b] ? json_object_new_object() : NULL;

		if (!bin)
			continue;
		json_add(bin, "above_bytes", b ? json_count(UINT64_C(1) << b) : NULL);
		json_add(bin, "at_most_bytes",
			 b + 1 < HISTOGRAM_BINS ? json_count(UINT64_C(2) << b) : NULL);
		json_add(bin, "count", json_count(sizes->bins[b]));
		json_object_array_add(list, bin);
	}
	return list;
}

#define ROW      const struct mpi_site
#define ROW_NAME mpi_sizes
#include "analyze/report/define_fields.h"

static size_t count_moving(const struct mpi_site_lists *lists)
{
	size_t count = 0;

	for (size_t i = 0; i < lists->call_count; i++)
		count += is_moving(&lists->calls[i]);
	return count;
}

void report_mpi_sizes_text(const struct report *report)
{
	const struct mpi_site_lists *lists = &report->run->mpi.lists;
	struct row_table *table = row_table_create(report, &mpi_sizes_fields);
	size_t moving = count_moving(lists), shown = report_rows(report, moving);

	for (size_t i = 0; i < lists->call_count && shown; i++) {
		if (!is_moving(&lists->calls[i]))
			continue;
		row_table_add(table, &lists->calls[i]);
		shown--;
	}
	row_table_print(table);
	report_print_rest(report, moving);
}
