/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi_occurrences.h"

#include "analyze/memory.h"
#include "analyze/model/mpi_sites.h"
#include "preload/vocabulary.h"

#include <ctype.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

#define IDENTITY_WORLD 1
#define COUNT(array)   (sizeof(array) / sizeof *(array))
#define IS_IN_CALL     1e18 /* a rank that is still in the call leaves after everybody */

struct host {
	const char *name; /* kept by the names */
	uint64_t realtime_offset;
};

struct mpi_occurrences_account {
	struct names *names;
	htab_t occurrences;
	struct mpi_occurrence **all;
	size_t count, capacity;
	struct mpi_call_count *counts;
	size_t count_count, count_capacity;
	struct host *hosts;
	size_t host_count, host_capacity;
};

/* ---- kinds of calls */

enum mpi_rooting mpi_rooting_of(const char *call)
{
	/* the longer stem first */
	static const struct {
		const char *stem;
		enum mpi_rooting rooting;
	} rows[] = {
		{"MPI_Barrier", MPI_ALL_FOR_ALL},        {"MPI_Allreduce", MPI_ALL_FOR_ALL},
		{"MPI_Allgather", MPI_ALL_FOR_ALL},      {"MPI_Alltoall", MPI_ALL_FOR_ALL},
		{"MPI_Reduce_scatter", MPI_ALL_FOR_ALL}, {"MPI_Reduce", MPI_ROOT_FOR_ALL},
		{"MPI_Gather", MPI_ROOT_FOR_ALL},        {"MPI_Bcast", MPI_ALL_FOR_ROOT},
		{"MPI_Scatter", MPI_ALL_FOR_ROOT},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		if (!strncmp(call, rows[i].stem, strlen(rows[i].stem)))
			return rows[i].rooting;
	return MPI_UNROOTED;
}

/* MPI_Ibcast, MPI_Bcast_init; MPI_Init and the like are not among the collectives. */
static bool is_nonblocking(const char *call)
{
	return (!strncmp(call, "MPI_I", 5) && islower((unsigned char)call[5])) ||
	       strstr(call, "_init");
}

/* ---- occurrences */

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

static struct mpi_occurrence *find_occurrence(struct mpi_occurrences_account *account,
					      const struct mpi_occurrence *probe)
{
	bool has_room = account->count < MPI_OCCURRENCES_MAX;
	void **slot = htab_find_slot(account->occurrences, probe, has_room ? INSERT : NO_INSERT);

	if (!slot)
		return NULL;
	if (*slot)
		return *slot;
	struct mpi_occurrence *row = memory_allocate(1, sizeof *row);

	*row = *probe;
	account->all =
		memory_grow(account->all, account->count, &account->capacity, sizeof *account->all);
	account->all[account->count++] = row;
	return *slot = row;
}

static void thin_moments(struct mpi_occurrence *row)
{
	size_t kept = 0;

	row->moment_stride *= 2;
	for (size_t i = 0; i < row->moment_count; i++)
		if (row->moments[i].rank % row->moment_stride == 0)
			row->moments[kept++] = row->moments[i];
	row->moment_count = kept;
}

static void add_moment(struct mpi_occurrence *row, const struct mpi_moment *moment)
{
	size_t most = row->size < MPI_MOMENTS_MAX ? row->size : MPI_MOMENTS_MAX;

	/* a damaged file may say the same rank again and again: then there is nothing to thin */
	if (row->moment_count == most && row->moment_stride < row->size)
		thin_moments(row);
	if (row->moment_count == most || moment->rank % row->moment_stride)
		return;
	if (!row->moments)
		row->moments = memory_allocate(most, sizeof *row->moments);
	row->moments[row->moment_count++] = *moment;
}

static bool is_root(const struct mpi_source *source,
		    const struct profile_mpi_communicator *communicator, uint64_t root)
{
	/* profiles without the column know it of the world alone */
	bool is_world = communicator->identity == IDENTITY_WORLD;
	uint64_t rank = communicator->rank ? communicator->rank : is_world ? source->rank + 1 : 0;

	return root && rank == root;
}

static void add_to(struct mpi_occurrences_account *account, struct mpi_occurrence *into,
		   const struct mpi_source *source, const struct profile_mpi_collective *row,
		   const struct mpi_moment *moment)
{
	const struct profile *profile = source->profile;
	bool is_first = !into->ranks++;
	bool is_last = is_first || moment->enter > into->latest_enter;
	bool is_the_root =
		is_root(source, &profile->mpi_communicators.rows[row->communicator], row->root);

	into->sum_enter += moment->enter;
	if (mpi_rooting_of(into->call) != MPI_ALL_FOR_ALL)
		add_moment(into, moment);
	if (!is_last && !is_the_root)
		return;
	struct frame place = mpi_find_place(account->names, profile, row->callpath);
	struct mpi_late who = {source->rank, place.routine, place.line, 0};

	if (is_last) {
		into->latest_enter = moment->enter;
		into->last = who;
	}
	if (is_the_root) {
		into->root_enter = moment->enter;
		into->root = who;
	}
}

static double since(uint64_t instant, int64_t offset, uint64_t base_ns)
{
	return (double)(int64_t)(instant + (uint64_t)offset - base_ns);
}

static void add_entry(struct mpi_occurrences_account *account, const struct mpi_source *source,
		      const struct profile_mpi_collective *row, int64_t offset)
{
	const struct profile *profile = source->profile;
	const struct profile_mpi_communicator *communicator =
		&profile->mpi_communicators.rows[row->communicator];
	struct mpi_occurrence probe = {
		.identity = communicator->identity,
		.leader = communicator->leader,
		.sequence = row->sequence,
		.call = names_keep(account->names, profile->mpi_names.rows[row->call].name),
		.size = communicator->size,
		.base_ns = row->enter_ns + (uint64_t)offset,
		.root = {.rank = MPI_NO_RANK},
		.moment_stride = 1,
	};
	struct mpi_occurrence *into = find_occurrence(account, &probe);

	if (!into)
		return;
	struct mpi_moment moment = {
		.rank = source->rank,
		.enter = since(row->enter_ns, offset, into->base_ns),
		.leave = row->leave_ns ? since(row->leave_ns, offset, into->base_ns) : IS_IN_CALL,
	};

	add_to(account, into, source, row, &moment);
}

/* ---- how many calls there were */

static void count_calls(struct mpi_occurrences_account *account, const char *call, uint64_t size,
			uint64_t calls)
{
	for (size_t i = 0; i < account->count_count; i++)
		if (account->counts[i].call == call && account->counts[i].size == size) {
			account->counts[i].calls += calls;
			return;
		}
	account->counts = memory_grow(account->counts, account->count_count,
				      &account->count_capacity, sizeof *account->counts);
	account->counts[account->count_count++] = (struct mpi_call_count){call, size, calls};
}

static void count_all_calls(struct mpi_occurrences_account *account, const struct profile *profile)
{
	for (size_t i = 0; i < profile->mpi_calls.count; i++) {
		const struct profile_mpi_call *row = &profile->mpi_calls.rows[i];
		const struct profile_mpi_name *name = &profile->mpi_names.rows[row->call];
		uint64_t size = profile->mpi_communicators.rows
					? profile->mpi_communicators.rows[row->communicator].size
					: 0;

		if (row->communicator && size > 1 && name->class == MPI_CLASS_COLLECTIVE &&
		    !is_nonblocking(name->name))
			count_calls(account, names_keep(account->names, name->name), size,
				    row->count);
	}
}

/* ---- one process */

/* What must be added to instants of the host to compare them with those of the first one. */
static int64_t offset_of(struct mpi_occurrences_account *account, const struct profile *profile)
{
	const char *name = names_keep(account->names, profile->process.host);
	size_t i = 0;

	while (i < account->host_count && account->hosts[i].name != name)
		i++;
	if (i == account->host_count) {
		account->hosts = memory_grow(account->hosts, account->host_count,
					     &account->host_capacity, sizeof *account->hosts);
		account->hosts[account->host_count++] = (struct host){
			name, profile->header.start_realtime_ns - profile->header.start_ns};
	}
	return (int64_t)(account->hosts[i].realtime_offset - account->hosts[0].realtime_offset);
}

void mpi_occurrences_add(struct mpi_occurrences_account *account, const struct mpi_source *source)
{
	const struct profile *profile = source->profile;

	if (source->rank == MPI_NO_RANK)
		return;
	int64_t offset = profile->mpi_collectives.count ? offset_of(account, profile) : 0;

	for (size_t i = 0; i < profile->mpi_collectives.count; i++) {
		const struct profile_mpi_collective *row = &profile->mpi_collectives.rows[i];
		const char *call = profile->mpi_names.rows[row->call].name;

		if (row->enter_ns && profile->mpi_communicators.rows[row->communicator].size > 1 &&
		    !is_nonblocking(call))
			add_entry(account, source, row, offset);
	}
	count_all_calls(account, profile);
}

/* ---- begin and end */

static void free_occurrence(struct mpi_occurrence *row)
{
	free(row->moments);
	free(row);
}

struct mpi_occurrences_account *mpi_occurrences_create(struct names *names)
{
	struct mpi_occurrences_account *account = memory_allocate(1, sizeof *account);

	account->names = names;
	account->occurrences = htab_create_alloc(256, hash_occurrence, occurrences_equal, NULL,
						 memory_allocate, free);
	return account;
}

struct mpi_occurrences mpi_occurrences_finish(struct mpi_occurrences_account *account)
{
	struct mpi_occurrences made = {.rows = account->all,
				       .count = account->count,
				       .counts = account->counts,
				       .count_count = account->count_count,
				       .host_count = account->host_count};

	htab_delete(account->occurrences);
	free(account->hosts);
	free(account);
	return made;
}

void mpi_occurrences_clear(struct mpi_occurrences *occurrences)
{
	for (size_t i = 0; i < occurrences->count; i++)
		free_occurrence(occurrences->rows[i]);
	free(occurrences->rows);
	free(occurrences->counts);
	*occurrences = (struct mpi_occurrences){0};
}
