/* SPDX-License-Identifier: MIT */
/* Which rank came late to collective calls, and what that cost the others. */
#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
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

void report_collectives_text(const struct report *report)
{
	static const struct text_column columns[] = {
		{"call", TEXT_LEFT},      {"ranks", TEXT_RIGHT}, {"times", TEXT_RIGHT},
		{"recorded", TEXT_RIGHT}, {"lost", TEXT_RIGHT},  {"late most", TEXT_FLEXIBLE},
	};
	const struct mpi_collectives *all = &report->run->mpi.collectives;
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);

	for (size_t i = 0; i < report_rows(report, all->count); i++) {
		const struct mpi_collective *row = &all->rows[i];

		text_table_add(table, memory_copy_text(row->call));
		text_table_add(table, text_count(row->size));
		text_table_add(table, text_count(row->count));
		text_table_add(table, text_count(row->recorded));
		text_table_add(table, row->recorded ? report_graded_seconds(report, row->lost_ns,
									    row->grade)
						    : memory_copy_text("?"));
		text_table_add(table, late_text(report, row));
	}
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, all->count);
}
