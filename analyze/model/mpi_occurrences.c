/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi_occurrences.h"

#include "analyze/memory.h"
#include "analyze/model/mpi_sites.h"

#include <math.h>
#include <stdlib.h>

static hashval_t hash_occurrence(const void *entry)
{
	const struct mpi_occurrence *row = entry;
	uint64_t mixed = (row->identity * 31 + row->leader) * 0x9e3779b97f4a7c15u + row->sequence;

	return (hashval_t)(mixed ^ mixed >> 32);
}

static int occurrences_equal(const void *left, const void *right)
{
	const struct mpi_occurrence *a = left, *b = right;

	return a->identity == b->identity && a->leader == b->leader && a->sequence == b->sequence;
}

/* The row of equal key, or a place for it; NULL if there is no room. */
static struct mpi_occurrence **find_slot(struct mpi_occurrences *account,
					 const struct mpi_occurrence *probe)
{
	bool has_room = account->count < MPI_OCCURRENCES_MAX;

	return (struct mpi_occurrence **)htab_find_slot(account->table, probe,
							has_room ? INSERT : NO_INSERT);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Of ranks that entered at one instant the lowest is the late one, and of those that left at one
 * instant the one that waited least the last: the order of the ranks must not matter. */
static bool is_later(const struct mpi_occurrence *row, double enter,
		     const struct mpi_occurrence *than)
{
	return enter > than->latest_enter ||
	       (enter == than->latest_enter && row->late_rank < than->late_rank);
}

static struct mpi_occurrence *append(struct mpi_occurrences *account, struct mpi_occurrence **slot,
				     const struct mpi_occurrence *row)
{
	*slot = memory_allocate(1, sizeof **slot);
	**slot = *row;
	account->all =
		memory_grow(account->all, account->count, &account->capacity, sizeof *account->all);
	account->all[account->count++] = *slot;
	return *slot;
}

struct mpi_occurrence *mpi_occurrences_unite(struct mpi_occurrences *account,
					     const struct mpi_occurrence *row)
{
	struct mpi_occurrence **slot = find_slot(account, row), *into = slot ? *slot : NULL;

	if (!into)
		return slot ? append(account, slot, row) : NULL;
	double shift = (double)(int64_t)(row->base_ns - into->base_ns);
	double latest = row->latest_enter + shift, last = row->last_leave + shift;
	double leaver = row->last_leaver_enter + shift;

	if (row->first_leave + shift < into->first_leave)
		into->first_leave = row->first_leave + shift;
	if (last > into->last_leave ||
	    (last == into->last_leave && leaver > into->last_leaver_enter)) {
		into->last_leave = last;
		into->last_leaver_enter = leaver;
	}
	into->sum_enter += row->sum_enter + (double)row->ranks * shift;
	into->ranks += row->ranks;
	into->size = larger(into->size, row->size);
	into->stride = larger(into->stride, row->stride);
	if (!is_later(row, latest, into))
		return NULL;
	into->latest_enter = latest;
	into->late_rank = row->late_rank;
	into->late_routine = row->late_routine;
	into->late_line = row->late_line;
	return into;
}

int64_t mpi_occurrences_offset(struct mpi_occurrences *account, const char *host,
			       uint64_t realtime_offset)
{
	const char *name = names_keep(account->names, host);
	size_t at = 0;

	while (at < account->host_count && account->hosts[at].name != name)
		at++;
	if (at == account->host_count) {
		account->hosts = memory_grow(account->hosts, account->host_count,
					     &account->host_capacity, sizeof *account->hosts);
		account->hosts[account->host_count++] =
			(struct mpi_host_time){name, realtime_offset};
	}
	return (int64_t)(account->hosts[at].realtime_offset - account->hosts[0].realtime_offset);
}

/* What one rank says of an occurrence is an occurrence of one rank. */
static void add_entry(struct mpi_occurrences *account, const struct mpi_source *source,
		      const struct profile_mpi_collective *row, int64_t offset)
{
	const struct profile *profile = source->profile;
	const struct profile_mpi_communicator *communicator =
		&profile->mpi_communicators.rows[row->communicator];
	/* a rank that is still in the call leaves after everybody */
	double leave = row->leave_ns ? (double)(int64_t)(row->leave_ns - row->enter_ns) : INFINITY;
	struct mpi_occurrence entry = {
		.identity = communicator->identity,
		.leader = communicator->leader,
		.sequence = row->sequence,
		.call = names_keep(account->names, profile->mpi_names.rows[row->call].name),
		.size = communicator->size,
		.stride = communicator->stride,
		.ranks = 1,
		.base_ns = row->enter_ns + (uint64_t)offset,
		.first_leave = leave,
		.last_leave = leave,
		.late_rank = source->rank,
	};
	struct mpi_occurrence *late = mpi_occurrences_unite(account, &entry);

	if (!late)
		return;
	struct frame place = mpi_find_place(account->names, profile, row->callpath);

	late->late_routine = place.routine;
	late->late_line = place.line;
}

void mpi_occurrences_add(struct mpi_occurrences *account, const struct mpi_source *source)
{
	const struct profile *profile = source->profile;

	if (source->rank == MPI_NO_RANK || !profile->mpi_collectives.count)
		return;
	int64_t offset = mpi_occurrences_offset(account, profile->process.host,
						profile->header.start_realtime_ns -
							profile->header.start_ns);

	for (size_t i = 0; i < profile->mpi_collectives.count; i++) {
		const struct profile_mpi_collective *row = &profile->mpi_collectives.rows[i];

		if (row->enter_ns && profile->mpi_communicators.rows[row->communicator].size > 1)
			add_entry(account, source, row, offset);
	}
}

void mpi_occurrences_create(struct mpi_occurrences *account, struct names *names)
{
	*account = (struct mpi_occurrences){
		.names = names,
		.table = htab_create_alloc(256, hash_occurrence, occurrences_equal, free,
					   memory_allocate, free),
	};
}

void mpi_occurrences_clear(struct mpi_occurrences *account)
{
	htab_delete(account->table);
	free(account->all);
	free(account->hosts);
	*account = (struct mpi_occurrences){0};
}
