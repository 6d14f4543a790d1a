/* SPDX-License-Identifier: MIT */
/* MPI calls by name, and by the place that made them. */
#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/sections.h"

#include <math.h>

static char *share_text(const struct mpi_site *row, double whole)
{
	return whole > 0 ? text_percent(100 * (double)row->figures.sum_ns / whole)
			 : memory_copy_text("?");
}

static void add_seconds_or_nothing(struct text_table *table, const struct mpi_site *row, double ns)
{
	text_table_add(table, row->spread.ranks ? text_seconds(ns) : memory_copy_text(""));
}

static char *rank_text(uint64_t rank)
{
	return rank == MPI_NO_RANK ? memory_copy_text("?") : text_count(rank);
}

void report_mpi_calls_text(const struct report *report)
{
	static const struct text_column columns[] = {
		{"call", TEXT_FLEXIBLE}, {"calls", TEXT_RIGHT},   {"time", TEXT_RIGHT},
		{"share", TEXT_RIGHT},   {"min", TEXT_SPARE},     {"mean", TEXT_SPARE},
		{"max", TEXT_RIGHT},     {"on rank", TEXT_RIGHT}, {"sent", TEXT_SPARE},
		{"received", TEXT_SPARE}};
	const struct mpi *mpi = &report->run->mpi;
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	double whole = mpi->time_ns + mpi->unranked_ns;

	for (size_t i = 0; i < report_rows(report, mpi->lists.call_count); i++) {
		const struct mpi_site *row = &mpi->lists.calls[i];

		text_table_add(table, memory_copy_text(row->call));
		text_table_add(table, text_count(row->figures.count));
		text_table_add(table, text_seconds((double)row->figures.sum_ns));
		text_table_add(table, share_text(row, whole));
		add_seconds_or_nothing(table, row, row->spread.min_ns);
		add_seconds_or_nothing(table, row, row->spread.mean_ns);
		add_seconds_or_nothing(table, row, row->spread.max_ns);
		text_table_add(table, rank_text(row->spread.max_rank));
		text_table_add(table, text_size(row->figures.bytes_sent));
		text_table_add(table, text_size(row->figures.bytes_received));
	}
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, mpi->lists.call_count);
}

static char *number_or_nothing(double number)
{
	return isfinite(number) ? text_number(number) : memory_copy_text("");
}

static char *overlap_text(const struct mpi_figures *figures)
{
	double overlap = mpi_figures_overlap(figures);

	return isfinite(overlap) ? text_percent(100 * overlap) : memory_copy_text("");
}

static char *flight_text(const struct mpi_figures *figures)
{
	return figures->completed ? text_seconds((double)figures->flight_ns) : memory_copy_text("");
}

static char *count_or_nothing(uint64_t count)
{
	return count ? text_count(count) : memory_copy_text("");
}

void report_mpi_sites_text(const struct report *report)
{
	static const struct text_column columns[] = {
		{"call", TEXT_LEFT},     {"at", TEXT_FLEXIBLE},  {"calls", TEXT_RIGHT},
		{"time", TEXT_RIGHT},    {"share", TEXT_RIGHT},  {"CoV", TEXT_RIGHT},
		{"max on", TEXT_RIGHT},  {"bytes", TEXT_RIGHT},  {"in flight", TEXT_RIGHT},
		{"overlap", TEXT_RIGHT}, {"in vain", TEXT_RIGHT},
		{"gapped", TEXT_RIGHT}};
	const struct mpi *mpi = &report->run->mpi;
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	double whole = mpi->time_ns + mpi->unranked_ns;

	for (size_t i = 0; i < report_rows(report, mpi->lists.site_count); i++) {
		const struct mpi_site *row = &mpi->lists.sites[i];

		text_table_add(table, memory_copy_text(row->call));
		text_table_add(table, report_place(report, row->routine, row->line));
		text_table_add(table, text_count(row->figures.count));
		text_table_add(table, text_seconds((double)row->figures.sum_ns));
		text_table_add(table, share_text(row, whole));
		text_table_add(table, number_or_nothing(mpi_spread_variation(&row->spread)));
		text_table_add(table, rank_text(row->spread.max_rank));
		text_table_add(table,
			       text_size(row->figures.bytes_sent + row->figures.bytes_received));
		text_table_add(table, flight_text(&row->figures));
		text_table_add(table, overlap_text(&row->figures));
		text_table_add(table, count_or_nothing(row->figures.vain));
		text_table_add(table, count_or_nothing(row->figures.gapped));
	}
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, mpi->lists.site_count);
}
