/* SPDX-License-Identifier: MIT */
/* MPI calls by name, and by the place that made them. */
#include "analyze/model/run/carried.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

/* Of the ranks' time. */
static struct value share_of(const struct mpi *mpi, const struct mpi_site *row)
{
	double whole = mpi->time_ns + mpi->unranked_ns;

	if (!(whole > 0))
		return (struct value){.kind = VALUE_UNKNOWN};
	return (struct value){.kind = VALUE_PERCENT,
			      .real = 100 * (double)row->figures.sum_ns / whole};
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
