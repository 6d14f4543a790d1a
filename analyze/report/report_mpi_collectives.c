/* SPDX-License-Identifier: MIT */
/* Which rank came late to collective calls, and what that cost the others. */
#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

static char *late_text(const struct report *report, const struct mpi_collective *row)
{
	if (!row->late_count || row->lost_ns <= 0)
		return memory_copy_text("");
	const struct mpi_late *late = &row->late[0];
	char *place = report_place(report, late->routine, late->line);
	char *share = text_percent(100 * late->lost_ns / row->lost_ns);
	char *text =
		memory_print("rank %llu: %s, at %s", (unsigned long long)late->rank, share, place);

	free(place);
	free(share);
	return text;
}

#define ROW       const struct mpi_late
#define ROW_NAME  late_ranks
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

#define ROW      const struct mpi_collective
#define ROW_NAME collectives
#include "analyze/report/define_fields.h"

void report_collectives_text(const struct report *report)
{
	const struct mpi_collectives *all = &report->run->mpi.collectives;

	rows_text(report, &collectives_fields, all->rows, all->count, sizeof *all->rows);
}
