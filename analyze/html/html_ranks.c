/* SPDX-License-Identifier: MIT */
/* The ranks of a job side by side. */
#include "analyze/base/memory.h"
#include "analyze/html/html_bars.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"

#include <math.h>
#include <stdlib.h>

#define BARS_MAX 64

static const struct html_key keys[] = {
	{"user", "useful"},
	{"mpi", "in MPI calls"},
	{"other", "other waits"},
	{"ready", "strip below: ready, but without a processor, in a wait or not"},
};

#define READY 3

static char *part_title(const struct mpi_rank *rank, const char *what, double ns)
{
	char *seconds = text_seconds(ns);
	char *title =
		memory_print("rank %llu\n%s: %s", (unsigned long long)rank->rank, what, seconds);

	free(seconds);
	return title;
}

static void print_bar(struct html_bars *bars, const struct mpi_rank *rank, const char *why)
{
	double parts[] = {rank->useful_ns, (double)rank->mpi_ns, (double)rank->wait_ns};
	char *name = memory_print("rank %llu%s%s", (unsigned long long)rank->rank, why ? ": " : "",
				  why ? why : "");
	double start = 0;

	html_bars_row(bars, name);
	free(name);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		double ns = isfinite(parts[i]) ? parts[i] : 0;

		html_bars_part(bars, keys[i].class, start, ns, part_title(rank, keys[i].text, ns));
		start += ns;
	}
	html_bars_strip(bars, keys[READY].class, (double)rank->ready_ns,
			part_title(rank, "ready, but without a processor", (double)rank->ready_ns));
}

/* Of many ranks those that differ most, as in the text; otherwise all, in their order. */
static void print_bars(const struct report *report)
{
	const struct mpi *mpi = &report->run->mpi;
	bool are_all = mpi->ranks.count <= BARS_MAX;
	size_t count = are_all ? mpi->ranks.count : BARS_MAX;
	const char **why = memory_allocate(mpi->ranks.count, sizeof *why);
	struct html_bars bars;
	double most = 0;

	for (size_t i = 0; i < mpi->ranks.count; i++) {
		const struct mpi_rank *rank = &mpi->ranks.rows[i];

		why[mpi->outliers[i].index] = mpi->outliers[i].why;
		most = fmax(most, (double)(rank->end_ns - rank->start_ns) * (double)rank->units);
	}
	html_bars_begin(&bars, report->out,
			are_all ? "Thread time of the ranks"
				: "Thread time of the ranks that differ most",
			"Thread time of the ranks", count, most);
	for (size_t i = 0; i < count; i++) {
		size_t index = are_all ? i : mpi->outliers[i].index;

		print_bar(&bars, &mpi->ranks.rows[index], why[index]);
	}
	html_bars_end(&bars, HTML_ALL(keys));
	free(why);
}

/* Sorted by how much they differ, the most first; the JSON has them by rank. */
static struct json_object *by_distance(const struct mpi *mpi, struct json_object *ranks)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < mpi->ranks.count; i++) {
		size_t index = mpi->outliers[i].index;

		json_object_array_add(list, json_object_get(html_json_element(ranks, index)));
	}
	return list;
}

void html_ranks(const struct report *report, struct json_object *json)
{
	struct json_object *ranks = by_distance(&report->run->mpi, html_json_at(json, "ranks"));

	if (report->run->mpi.ranks.count)
		print_bars(report);
	row_fields_html(report, "Ranks, those first that differ most", &ranks_fields, ranks, NULL);
	json_object_put(ranks);
}
