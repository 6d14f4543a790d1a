/* SPDX-License-Identifier: MIT */
/* Collective calls of a job, one by one: when the ranks of the communicator entered and left each.
 *
 * An occurrence is one call of all ranks of a communicator. What is kept is one row for each,
 * however many ranks it has, so that occurrences whose ranks lie in different parts of a job can be
 * united. Instants are relative to base_ns, which is on the clock of the first host that was added.
 * Context: pure but for names. */
#pragma once

#include "analyze/model/mpi_source.h"

#include <libiberty/hashtab.h>

/* Further occurrences are not kept. */
#define MPI_OCCURRENCES_MAX (1u << 18)

struct mpi_occurrence {
	uint64_t identity, leader, sequence; /* the key */
	const char *call;                    /* kept by the names */
	uint64_t size, stride;
	uint64_t ranks; /* that recorded it */
	uint64_t base_ns;
	double sum_enter, latest_enter, first_leave, last_leave;
	double last_leaver_enter;
	uint64_t late_rank; /* who entered last, and where it called */
	size_t late_routine;
	unsigned late_line;
};

/* A host's clock: CLOCK_REALTIME - CLOCK_MONOTONIC, by the word of its first process. */
struct mpi_host_time {
	const char *name; /* kept by the names */
	uint64_t realtime_offset;
};

struct mpi_occurrences {
	struct names *names;
	htab_t table;
	struct mpi_occurrence **all;
	size_t count, capacity;
	struct mpi_host_time *hosts;
	size_t host_count, host_capacity;
};

void mpi_occurrences_create(struct mpi_occurrences *account, struct names *names);
void mpi_occurrences_add(struct mpi_occurrences *account, const struct mpi_source *source);
/* What must be added to an instant of the host to compare it with base_ns. A host that is not known
 * yet becomes known. */
int64_t mpi_occurrences_offset(struct mpi_occurrences *account, const char *host,
			       uint64_t realtime_offset);
/* Unites the row with that of equal key; its base_ns is on the first host's clock already. Returns
 * what it was united with if the row's late rank is now the late one there, otherwise NULL. */
struct mpi_occurrence *mpi_occurrences_unite(struct mpi_occurrences *account,
					     const struct mpi_occurrence *row);
void mpi_occurrences_clear(struct mpi_occurrences *account);
