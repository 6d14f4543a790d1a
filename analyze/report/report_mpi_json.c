/* SPDX-License-Identifier: MIT */
/* The key "mpi" of the JSON: everything that the sections on MPI show, without a limit of rows. */
#include "analyze/print/json.h"
#include "analyze/report/report_mpi_parts.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#define ROW       const struct mpi_job
#define ROW_NAME  mpi_jobs
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
