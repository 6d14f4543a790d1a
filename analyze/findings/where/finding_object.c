/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_object.h"

#include "analyze/base/memory.h"
#include "analyze/model/run/run.h"

#include <stdlib.h>

static void add_site(struct sync_sites *sites, const struct sync_site *site)
{
	for (size_t i = 0; i < sites->count; i++) {
		struct sync_site *known = &sites->rows[i];

		if (known->routine != site->routine || known->line != site->line)
			continue;
		sync_site_unite(known, site);
		return;
	}
	sites->rows = memory_grow(sites->rows, sites->count, &sites->capacity, sizeof *sites->rows);
	sites->rows[sites->count++] = *site;
}

static void add_pair(struct sync_pairs *pairs, const struct sync_pair *pair)
{
	for (size_t i = 0; i < pairs->count; i++) {
		struct sync_pair *known = &pairs->rows[i];

		if (known->holder != pair->holder || known->victim != pair->victim ||
		    known->holder_line != pair->holder_line ||
		    known->victim_line != pair->victim_line)
			continue;
		merged_unite(MERGED_sync_pairs, known, pair);
		return;
	}
	pairs->rows = memory_grow(pairs->rows, pairs->count, &pairs->capacity, sizeof *pairs->rows);
	pairs->rows[pairs->count++] = *pair;
}

static void add_row(struct sync_row *sum, const struct sync_row *row)
{
	sum->count += row->count;
	sum->contended += row->contended;
	sum->wait_ns += row->wait_ns;
	sum->idle_ns += row->idle_ns;
	sum->idle_waits += row->idle_waits;
	for (size_t i = 0; i < row->waiters.count; i++)
		add_site(&sum->waiters, &row->waiters.rows[i]);
	for (size_t i = 0; i < row->blame.count; i++)
		add_site(&sum->blame, &row->blame.rows[i]);
	for (size_t i = 0; i < row->pairs.count; i++)
		add_pair(&sum->pairs, &row->pairs.rows[i]);
}

static int compare_ns(uint64_t left, uint64_t right)
{
	return (left < right) - (left > right);
}

static int compare_sites(const void *left, const void *right)
{
	const struct sync_site *a = left, *b = right;

	return compare_ns(a->time_ns, b->time_ns);
}

static int compare_pairs(const void *left, const void *right)
{
	const struct sync_pair *a = left, *b = right;

	return compare_ns(a->time_ns, b->time_ns);
}

static void sort(struct sync_row *sum)
{
	if (sum->waiters.count)
		qsort(sum->waiters.rows, sum->waiters.count, sizeof *sum->waiters.rows,
		      compare_sites);
	if (sum->blame.count)
		qsort(sum->blame.rows, sum->blame.count, sizeof *sum->blame.rows, compare_sites);
	if (sum->pairs.count)
		qsort(sum->pairs.rows, sum->pairs.count, sizeof *sum->pairs.rows, compare_pairs);
}

struct sync_row *finding_object_waits(const struct run *run, const struct sync_row *row,
				      bool (*is_of)(const struct run *run,
						    const struct sync_row *row, unsigned causes),
				      unsigned causes)
{
	struct sync_row *sum = memory_allocate(1, sizeof *sum);
	size_t parts = 0;

	*sum = (struct sync_row){
		.object = row->object, .operation = row->operation, .cause = row->cause};
	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *part = &run->synchronization.rows[i];

		if (part->object != row->object || (part != row && !is_of(run, part, causes)))
			continue;
		add_row(sum, part);
		parts++;
	}
	if (parts > 1) /* one row's are in order, of equal times by name */
		sort(sum);
	return sum;
}

void finding_object_free(struct sync_row *row)
{
	free(row->waiters.rows);
	free(row->blame.rows);
	free(row->pairs.rows);
	free(row);
}
