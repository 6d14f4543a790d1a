/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_pairs.h"

#include "analyze/base/memory.h"
#include "analyze/model/process/mpi_source.h"

#include <stdlib.h>

/* What is kept of a rank when there are too many pairs: the peers that it waited longest for, and
 * of the others those with the most bytes. */
#define WAITS_KEPT   4
#define PAIRS_KEPT   8
#define FURTHER_PEER 0xffffffffu

static uint64_t bytes_of(const struct mpi_pair *pair)
{
	return pair->bytes_sent + pair->bytes_received;
}

static int compare_pairs(const void *left, const void *right)
{
	const struct mpi_pair *a = left, *b = right;

	if (bytes_of(a) != bytes_of(b))
		return bytes_of(a) > bytes_of(b) ? -1 : 1;
	if (a->job != b->job)
		return a->job > b->job ? 1 : -1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? 1 : -1;
	return (a->peer > b->peer) - (a->peer < b->peer);
}

static int compare_waits(const void *left, const void *right)
{
	const struct mpi_pair *a = left, *b = right;

	if (a->wait_ns != b->wait_ns)
		return a->wait_ns > b->wait_ns ? -1 : 1;
	return compare_pairs(left, right);
}

static int compare_peers(const void *left, const void *right)
{
	const struct mpi_pair *a = left, *b = right;

	return (a->peer > b->peer) - (a->peer < b->peer);
}

/* Threads of a rank have rows of their own for the same peer. */
static size_t unite_equal(struct mpi_pair *rows, size_t count)
{
	size_t last = 0;

	if (count)
		qsort(rows, count, sizeof *rows, compare_peers);
	for (size_t i = 1; i < count; i++)
		if (rows[i].peer == rows[last].peer)
			merged_unite(MERGED_mpi_pairs, &rows[last], &rows[i]);
		else
			rows[++last] = rows[i];
	return count ? last + 1 : 0;
}

static size_t keep_few(struct mpi_pair *rows, size_t count)
{
	size_t kept = WAITS_KEPT + PAIRS_KEPT;

	if (count <= kept)
		return count;
	qsort(rows, count, sizeof *rows, compare_waits);
	qsort(rows + WAITS_KEPT, count - WAITS_KEPT, sizeof *rows, compare_pairs);
	for (size_t i = kept + 1; i < count; i++)
		merged_unite(MERGED_mpi_pairs, &rows[kept], &rows[i]);
	rows[kept].peer = MPI_NO_PEER;
	return unite_equal(rows, kept + 1);
}

void mpi_pairs_append(struct mpi_pairs *pairs, const struct mpi_pair *pair)
{
	pairs->rows = memory_grow(pairs->rows, pairs->count, &pairs->capacity, sizeof *pairs->rows);
	pairs->rows[pairs->count++] = *pair;
}

void mpi_pairs_close(struct mpi_pairs *pairs, size_t first)
{
	if (pairs->count == first)
		return;
	pairs->count = first + unite_equal(pairs->rows + first, pairs->count - first);
	if (pairs->count > MPI_PEERS_MAX)
		pairs->count = first + keep_few(pairs->rows + first, pairs->count - first);
}

void mpi_pairs_add(struct mpi_pairs *pairs, const struct mpi_source *source)
{
	const struct profile *profile = source->profile;
	size_t first = pairs->count;

	for (size_t i = 0; source->rank != MPI_NO_RANK && i < profile->mpi_peers.count; i++) {
		const struct profile_mpi_peer *from = &profile->mpi_peers.rows[i];
		bool has_peer = from->peer && from->peer != FURTHER_PEER;
		struct mpi_pair pair = {.job = mpi_job_of(profile),
					.rank = source->rank,
					.peer = has_peer ? from->peer - 1 : MPI_NO_PEER,
					SUMS_OF_mpi_peers(SUM_COPY)};

		mpi_pairs_append(pairs, &pair);
	}
	mpi_pairs_close(pairs, first);
}

void mpi_pairs_finish(struct mpi_pairs *pairs)
{
	if (pairs->count)
		qsort(pairs->rows, pairs->count, sizeof *pairs->rows, compare_pairs);
}

void mpi_pairs_clear(struct mpi_pairs *pairs)
{
	free(pairs->rows);
	*pairs = (struct mpi_pairs){0};
}
