/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_mpi_sizes.h"

#include "analyze/base/memory.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/sections.h"

/* Sizes that a column goes up to, as powers of two; the last column has what is above. */
static const unsigned groups[] = {6, 12, 16, 20};

#define GROUPS (sizeof groups / sizeof *groups)

/* Bin b goes up to 2^(b+1) bytes. */
static uint64_t count_between(const struct histogram *sizes, unsigned above, unsigned up_to)
{
	uint64_t count = 0;

	for (unsigned b = above; b < up_to && b < HISTOGRAM_BINS; b++)
		count += sizes->bins[b];
	return count;
}

/* Profiles of older versions have no sizes: unknown, where bytes were moved. */
static bool is_known(const struct mpi_figures *figures)
{
	return histogram_count(&figures->sizes) ||
	       (!figures->bytes_sent && !figures->bytes_received);
}

static void add_row(struct text_table *table, const struct mpi_site *row)
{
	const struct histogram *sizes = &row->figures.sizes;

	text_table_add(table, memory_copy_text(row->call));
	text_table_add(table, is_known(&row->figures) ? text_count(histogram_count(sizes))
						      : memory_copy_text("?"));
	for (size_t i = 0; i <= GROUPS; i++) {
		uint64_t count = count_between(sizes, i ? groups[i - 1] : 0,
					       i < GROUPS ? groups[i] : HISTOGRAM_BINS);

		text_table_add(table, count ? text_count(count) : memory_copy_text(""));
	}
}

/* The others have no sizes. */
static bool is_moving(const struct mpi_figures *figures)
{
	return histogram_count(&figures->sizes) || !is_known(figures);
}

static size_t count_moving(const struct mpi_site_lists *lists)
{
	size_t count = 0;

	for (size_t i = 0; i < lists->call_count; i++)
		count += is_moving(&lists->calls[i].figures);
	return count;
}

void report_mpi_sizes_text(const struct report *report)
{
	static const struct text_column columns[] = {
		{"call", TEXT_FLEXIBLE},  {"messages", TEXT_RIGHT},  {"<= 64 B", TEXT_RIGHT},
		{"<= 4 KiB", TEXT_RIGHT}, {"<= 64 KiB", TEXT_RIGHT}, {"<= 1 MiB", TEXT_RIGHT},
		{"more", TEXT_RIGHT},
	};
	_Static_assert(sizeof columns / sizeof *columns == GROUPS + 3, "a column for each group");
	const struct mpi_site_lists *lists = &report->run->mpi.lists;
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	size_t moving = count_moving(lists), shown = report_rows(report, moving);

	for (size_t i = 0; i < lists->call_count && shown; i++) {
		if (!is_moving(&lists->calls[i].figures))
			continue;
		add_row(table, &lists->calls[i]);
		shown--;
	}
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, moving);
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

struct json_object *report_mpi_sizes_json(const struct mpi *mpi)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < mpi->lists.call_count; i++) {
		const struct mpi_figures *figures = &mpi->lists.calls[i].figures;
		struct json_object *object = json_object_new_object();
		bool has = is_known(figures);

		json_add(object, "call", json_text(mpi->lists.calls[i].call));
		json_add(object, "messages",
			 has ? json_count(histogram_count(&figures->sizes)) : NULL);
		json_add(object, "sizes", has ? sizes_json(&figures->sizes) : NULL);
		json_object_array_add(list, object);
	}
	return list;
}
