/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_occurrences.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/mpi/mpi_sites.h"
#include "preload/file/vocabulary.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define IDENTITY_WORLD 1
#define COUNT(array)   (sizeof(array) / sizeof *(array))
#define NO_PLACE       SIZE_MAX /* not looked up yet */

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

static struct mpi_occurrence *append(struct mpi_occurrences *accumulator,
				     const struct mpi_occurrence *row)
{
	struct mpi_occurrence *added = keyed_table_enter(accumulator->table, row, NULL);

	added->moments = NULL;
	added->moment_count = 0;
	added->moment_capacity = 0;
	accumulator->all = memory_grow(accumulator->all, accumulator->count, &accumulator->capacity,
				       sizeof *accumulator->all);
	return accumulator->all[accumulator->count++] = added;
}

/* ---- moments */

static void thin_moments(struct mpi_occurrence *row, uint64_t stride)
{
	size_t kept = 0;

	row->moment_stride = stride;
	for (size_t i = 0; i < row->moment_count; i++)
		if (row->moments[i].rank % stride == 0)
			row->moments[kept++] = row->moments[i];
	row->moment_count = kept;
}

/* Which ranks are kept does not depend on the order in which they are added. */
static void add_moment(struct mpi_occurrence *row, const struct mpi_moment *moment)
{
	/* a damaged file may contain the same rank again and again: then thinning out has no
	 * effect */
	while (row->moment_count == MPI_MOMENTS_MAX && moment->rank % row->moment_stride == 0 &&
	       row->moment_stride < UINT32_MAX)
		thin_moments(row, row->moment_stride * 2);
	if (row->moment_count == MPI_MOMENTS_MAX || moment->rank % row->moment_stride)
		return;
	row->moments = memory_grow(row->moments, row->moment_count, &row->moment_capacity,
				   sizeof *row->moments);
	row->moments[row->moment_count++] = *moment;
}

static void unite_moments(struct mpi_occurrence *into, const struct mpi_occurrence *row,
			  double shift)
{
	if (row->moment_stride > into->moment_stride)
		thin_moments(into, row->moment_stride);
	for (size_t i = 0; i < row->moment_count; i++) {
		struct mpi_moment moment = row->moments[i];

		moment.enter += shift;
		moment.leave += shift;
		add_moment(into, &moment);
	}
}

/* ---- uniting */

/* Of ranks that entered at the same instant the lowest is the late one: the order of the ranks must
 * not matter. */
static bool is_later(double enter, uint64_t rank, const struct mpi_occurrence *than)
{
	return enter > than->latest_enter ||
	       (enter == than->latest_enter && rank < than->last.rank);
}

static void unite_instants(struct mpi_occurrence *into, const struct mpi_occurrence *row,
			   double shift)
{
	double latest = row->latest_enter + shift;

	into->earliest_leave = fmin(into->earliest_leave, row->earliest_leave + shift);
	into->sum_enter += row->sum_enter + (double)row->ranks * shift;
	into->ranks += row->ranks;
	into->size = row->size > into->size ? row->size : into->size;
	if (is_later(latest, row->last.rank, into)) {
		into->latest_enter = latest;
		into->last = row->last;
	}
	if (row->root.rank != MPI_NO_RANK) {
		into->root_enter = row->root_enter + shift;
		into->root_leave = row->root_leave + shift;
		into->root = row->root;
	}
}

struct mpi_occurrence *mpi_occurrences_unite(struct mpi_occurrences *accumulator,
					     const struct mpi_occurrence *row)
{
	struct mpi_occurrence *into = keyed_table_find(accumulator->table, row);

	if (!into && accumulator->count >= MPI_OCCURRENCES_MAX)
		return NULL;
	if (!into) {
		into = append(accumulator, row);
		unite_moments(into, row, 0);
		return into;
	}
	double shift = (double)(int64_t)(row->base_ns - into->base_ns);

	unite_instants(into, row, shift);
	unite_moments(into, row, shift);
	return into;
}

int64_t mpi_occurrences_offset(struct mpi_occurrences *accumulator, const char *host,
			       uint64_t realtime_offset)
{
	const char *name = names_keep(accumulator->names, host);
	size_t at = 0;

	while (at < accumulator->host_count && accumulator->hosts[at].name != name)
		at++;
	if (at == accumulator->host_count) {
		accumulator->hosts =
			memory_grow(accumulator->hosts, accumulator->host_count,
				    &accumulator->host_capacity, sizeof *accumulator->hosts);
		accumulator->hosts[accumulator->host_count++] =
			(struct mpi_host_time){{name, realtime_offset}};
	}
	return (int64_t)(accumulator->hosts[at].realtime_offset -
			 accumulator->hosts[0].realtime_offset);
}

/* ---- one process */

static bool is_root(const struct mpi_source *source,
		    const struct profile_mpi_communicator *communicator, uint64_t root)
{
	/* profiles without this column tell it for MPI_COMM_WORLD only */
	bool is_world = communicator->identity == IDENTITY_WORLD;
	uint64_t rank = communicator->rank ? communicator->rank : is_world ? source->rank + 1 : 0;

	return root && rank == root;
}

/* Places are looked up only for ranks that are the last so far, or are the root. */
static void find_places(struct mpi_occurrences *accumulator, const struct mpi_source *source,
			size_t callpath, struct mpi_occurrence *row)
{
	if (row->last.routine != NO_PLACE && row->root.routine != NO_PLACE)
		return;
	struct frame place = mpi_find_place(accumulator->names, source->profile, callpath);
	struct mpi_caller *late[] = {&row->last, &row->root};

	for (size_t i = 0; i < COUNT(late); i++)
		if (late[i]->routine == NO_PLACE) {
			late[i]->routine = place.routine;
			late[i]->line = place.line;
		}
}

/* The record of one rank is an occurrence of one rank. */
static void add_entry(struct mpi_occurrences *accumulator, const struct mpi_source *source,
		      const struct profile_mpi_collective *row, int64_t offset)
{
	const struct profile *profile = source->profile;
	const struct profile_mpi_communicator *communicator =
		&profile->mpi_communicators.rows[row->communicator];
	bool is_the_root = is_root(source, communicator, row->root);
	struct mpi_moment moment = {
		.rank = source->rank,
		/* a rank that is still in the call leaves after all others */
		.leave =
			row->leave_ns ? (double)(int64_t)(row->leave_ns - row->enter_ns) : INFINITY,
	};
	struct mpi_occurrence entry = {
		.job = mpi_job_of(profile),
		.identity = mpi_instance_of(communicator, row),
		.leader = communicator->leader,
		.sequence = row->sequence,
		.call = names_keep(accumulator->names, profile->mpi_names.rows[row->call].name),
		.size = communicator->size,
		.ranks = 1,
		.base_ns = row->enter_ns + (uint64_t)offset,
		.last = {.rank = source->rank, .routine = NO_PLACE},
		.root = {.rank = is_the_root ? source->rank : MPI_NO_RANK,
			 .routine = is_the_root ? NO_PLACE : 0},
		.earliest_leave = moment.leave,
		.root_leave = moment.leave,
		.moments = &moment,
		.moment_count = 1,
		.moment_stride = 1,
	};
	struct mpi_occurrence *into = mpi_occurrences_unite(accumulator, &entry);

	if (into)
		find_places(accumulator, source, row->callpath, into);
}

void mpi_occurrences_count(struct mpi_occurrences *accumulator, const char *call, uint64_t size,
			   uint64_t calls, double ns)
{
	for (size_t i = 0; i < accumulator->count_count; i++)
		if (accumulator->counts[i].call == call && accumulator->counts[i].size == size) {
			accumulator->counts[i].calls += calls;
			accumulator->counts[i].ns += ns;
			return;
		}
	accumulator->counts =
		memory_grow(accumulator->counts, accumulator->count_count,
			    &accumulator->count_capacity, sizeof *accumulator->counts);
	accumulator->counts[accumulator->count_count++] =
		(struct mpi_call_count){{call, size, calls, ns}};
}

static void count_calls(struct mpi_occurrences *accumulator, const struct profile *profile)
{
	for (size_t i = 0; i < profile->mpi_calls.count; i++) {
		const struct profile_mpi_call *row = &profile->mpi_calls.rows[i];
		const struct profile_mpi_name *name = &profile->mpi_names.rows[row->call];
		uint64_t size = row->communicator
					? profile->mpi_communicators.rows[row->communicator].size
					: 0;

		if (row->count && size > 1 && name->class == MPI_CLASS_COLLECTIVE &&
		    !is_nonblocking(name->name))
			mpi_occurrences_count(accumulator,
					      names_keep(accumulator->names, name->name), size,
					      row->count, (double)row->sum_ns);
	}
}

void mpi_occurrences_add(struct mpi_occurrences *accumulator, const struct mpi_source *source)
{
	const struct profile *profile = source->profile;

	if (source->rank == MPI_NO_RANK)
		return;
	count_calls(accumulator, profile);
	if (!profile->mpi_collectives.count)
		return;
	int64_t offset = mpi_occurrences_offset(accumulator, profile->process.host,
						profile->header.start_realtime_ns -
							profile->header.start_ns);

	for (size_t i = 0; i < profile->mpi_collectives.count; i++) {
		const struct profile_mpi_collective *row = &profile->mpi_collectives.rows[i];

		if (row->enter_ns && profile->mpi_communicators.rows[row->communicator].size > 1 &&
		    !is_nonblocking(profile->mpi_names.rows[row->call].name))
			add_entry(accumulator, source, row, offset);
	}
}

/* ---- begin and end */

void mpi_occurrences_create(struct mpi_occurrences *accumulator, struct names *names)
{
	*accumulator = (struct mpi_occurrences){
		.names = names,
		.table = keyed_table_create(sizeof(struct mpi_occurrence),
					    offsetof(struct mpi_occurrence, call)),
	};
}

void mpi_occurrences_clear(struct mpi_occurrences *accumulator)
{
	for (size_t i = 0; i < accumulator->count; i++)
		free(accumulator->all[i]->moments);
	keyed_table_destroy(accumulator->table);
	free(accumulator->all);
	free(accumulator->counts);
	free(accumulator->hosts);
	*accumulator = (struct mpi_occurrences){0};
}
