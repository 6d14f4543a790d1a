/* SPDX-License-Identifier: MIT */
/* Who was waited for in the collective calls of a run. */
#include "analyze/export/chrome_collectives.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/model/mpi/mpi_occurrences.h"

#include <stdlib.h>

struct chrome_collectives {
	struct keyed_table *table;
};

static struct chrome_collective key_of(const struct profile *profile,
				       const struct profile_mpi_collective *row)
{
	const struct profile_mpi_communicator *communicator =
		&profile->mpi_communicators.rows[row->communicator];

	return (struct chrome_collective){
		.job = mpi_job_of(profile),
		.identity = mpi_instance_of(communicator, row),
		.leader = communicator->leader,
		.sequence = row->sequence,
	};
}

/* Is its rank in the communicator the root of the call? */
static bool is_root(const struct profile *profile, const struct profile_mpi_collective *row)
{
	uint64_t rank = profile->mpi_communicators.rows[row->communicator].rank;

	return rank && row->root == rank;
}

static void add_row(struct chrome_collectives *all, const struct profile *profile,
		    const struct profile_mpi_collective *row, size_t process, int64_t offset_ns)
{
	struct chrome_collective probe = key_of(profile, row);
	bool is_full = keyed_table_count(all->table) >= CHROME_COLLECTIVES_MAX;
	struct chrome_collective *entry = is_full ? keyed_table_find(all->table, &probe)
						  : keyed_table_enter(all->table, &probe, NULL);
	struct chrome_arrival arrival = {process + 1,
					 number_sum((int64_t)row->enter_ns, offset_ns)};

	if (!entry)
		return;
	if (!entry->last.process || arrival.enter_ns > entry->last.enter_ns)
		entry->last = arrival;
	if (is_root(profile, row))
		entry->root = arrival;
}

void chrome_collectives_add(struct chrome_collectives *all, const struct profile *profile,
			    size_t process, int64_t offset_ns)
{
	for (size_t i = 0; i < profile->mpi_collectives.count; i++)
		if (profile->mpi_collectives.rows[i].communicator)
			add_row(all, profile, &profile->mpi_collectives.rows[i], process,
				offset_ns);
}

const struct chrome_collective *chrome_collectives_find(const struct chrome_collectives *all,
							const struct profile *profile,
							const struct profile_mpi_collective *row)
{
	struct chrome_collective probe = key_of(profile, row);

	return row->communicator ? keyed_table_find(all->table, &probe) : NULL;
}

const struct chrome_arrival *chrome_collectives_awaited(const struct chrome_collective *collective,
							const struct profile *profile,
							const struct profile_mpi_collective *row,
							int64_t enter_ns)
{
	const char *call = profile->mpi_names.rows[row->call].name;
	const struct chrome_arrival *awaited = NULL;

	switch (mpi_rooting_of(call)) {
	case MPI_ALL_FOR_ALL:
		awaited = &collective->last;
		break;
	case MPI_ROOT_FOR_ALL:
		awaited = is_root(profile, row) ? &collective->last : NULL;
		break;
	case MPI_ALL_FOR_ROOT:
		awaited = is_root(profile, row) ? NULL : &collective->root;
		break;
	case MPI_UNROOTED:
		break;
	}
	return awaited && awaited->process && awaited->enter_ns > enter_ns ? awaited : NULL;
}

struct chrome_collectives *chrome_collectives_create(void)
{
	struct chrome_collectives *all = memory_allocate(1, sizeof *all);

	all->table = keyed_table_create(sizeof(struct chrome_collective),
					offsetof(struct chrome_collective, last));
	return all;
}

void chrome_collectives_destroy(struct chrome_collectives *all)
{
	keyed_table_destroy(all->table);
	free(all);
}
