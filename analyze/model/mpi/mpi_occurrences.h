/* SPDX-License-Identifier: MIT */
/* Collective calls as all ranks of a communicator recorded them: one row for each occurrence, into
 * which the instants of one rank after the other are merged, in any order, since the ranks may lie
 * in different parts of a job.
 *
 * How long a rank waited is known only when the last one is known. Because a rank may leave before
 * that one enters, the instants of single ranks are kept as well, but of no more than
 * `MPI_MOMENTS_MAX` of them: if there are more, those of every second rank, every fourth, and so
 * on.
 *
 * Instants are nanoseconds since base_ns, which is on the clock of the first host that was added.
 * Accumulator as in accumulator.h. Context: pure but for names. */
#pragma once

#include "analyze/model/process/mpi_source.h"
#include "analyze/tables/merged.h"

#include <stdbool.h>

/* Beyond this number occurrences are not judged. */
#define MPI_OCCURRENCES_MAX (1u << 18)
#define MPI_MOMENTS_MAX     64u

struct mpi_late {
	struct mpi_caller; /* columns: merged.def, also of the following */
	double lost_ns;    /* by all the ranks that waited for it */
};

/* One rank in one call. */
struct mpi_moment {
	struct merged_mpi_moments;
};

/* The key is job to sequence. root.rank is MPI_NO_RANK: the call has none, or it is not known. */
struct mpi_occurrence {
	struct merged_mpi_occurrences;
	struct mpi_moment *moments;
	size_t moment_capacity;
};

/* Calls by all ranks, recorded or not. */
struct mpi_call_count {
	struct merged_mpi_call_counts;
};

/* A host's clock: CLOCK_REALTIME - CLOCK_MONOTONIC, as its first process recorded it. */
struct mpi_host_time {
	struct merged_mpi_hosts;
};

struct mpi_occurrences {
	struct names *names;
	struct keyed_table *table; /* of what `all` points to */
	struct mpi_occurrence **all;
	size_t count, capacity;
	struct mpi_call_count *counts;
	size_t count_count, count_capacity;
	struct mpi_host_time *hosts;
	size_t host_count, host_capacity;
};

/* Which ranks wait for which in a call, by its definition. */
enum mpi_rooting {
	MPI_ALL_FOR_ALL,  /* everybody for the last: barrier, allreduce, alltoall */
	MPI_ROOT_FOR_ALL, /* the root for the last: reduce, gather */
	MPI_ALL_FOR_ROOT, /* everybody for the root: bcast, scatter */
	MPI_UNROOTED      /* unknown: scan, creation of communicators */
};

enum mpi_rooting mpi_rooting_of(const char *call);

/* Which communicator the call was on. A row of communicators stands for several of one origin,
 * except in profiles without this column. */
static inline uint64_t mpi_instance_of(const struct profile_mpi_communicator *communicator,
				       const struct profile_mpi_collective *row)
{
	return row->instance ? row->instance : communicator->identity;
}

void mpi_occurrences_create(struct mpi_occurrences *accumulator, struct names *names);
void mpi_occurrences_add(struct mpi_occurrences *accumulator, const struct mpi_source *source);
/* What must be added to an instant of the host to compare it with base_ns. Adds a host that is not
 * known yet. */
int64_t mpi_occurrences_offset(struct mpi_occurrences *accumulator, const char *host,
			       uint64_t realtime_offset);
/* Merges a copy of the row into the row with the same key; its base_ns is on the first host's clock
 * already. Returns the merged row, NULL if there is no room. */
struct mpi_occurrence *mpi_occurrences_unite(struct mpi_occurrences *accumulator,
					     const struct mpi_occurrence *row);
/* call: kept by the names. */
void mpi_occurrences_count(struct mpi_occurrences *accumulator, const char *call, uint64_t size,
			   uint64_t calls, double ns);
void mpi_occurrences_clear(struct mpi_occurrences *accumulator);
