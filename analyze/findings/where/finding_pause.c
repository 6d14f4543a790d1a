/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_pause.h"

#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_holders.h"
#include "analyze/findings/where/finding_ranks.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <string.h>

#define PAUSES (FINDING_CAUSE(SLEEP) | FINDING_CAUSE(OTHER) | FINDING_CAUSE(STOPPED))
/* What others of the run end; a thread that joins others goes the way of one of these. */
#define OF_OTHERS                                                                                  \
	(FINDING_WOKEN | FINDING_CAUSE(BARRIER) | FINDING_CAUSE(ONCE) | FINDING_CAUSE(FILE_LOCK) | \
	 FINDING_CAUSE(IPC))
#define TRANSFERS (FINDING_CAUSE(READ) | FINDING_CAUSE(WRITE))

/* Waits of all threads of the run. */
struct pause_waits {
	unsigned inner, outer;  /* causes: for others of the run, for the world outside */
	double inner_transfers; /* share of TRANSFERS that others of the run end */
};

bool finding_is_pause(unsigned causes)
{
	return causes && !(causes & ~PAUSES);
}

/* The two ends of a socketpair have no address. */
static double nameless_sockets_ns(const struct run *run)
{
	double ns = 0;

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];
		const struct sync_object *object = &run->synchronization.objects[row->object];

		if (TRANSFERS & 1u << row->cause && object->created_at &&
		    !strcmp(object->kind, "socket"))
			ns += (double)sync_row_working_ns(row);
	}
	return ns;
}

/* The other side of a pipe may be among the calls that were not looked up, as the first ones of a
 * process are: if these have as many bytes. */
static double half_seen_pipes_ns(const struct connections *connections)
{
	return connections->half.bytes <= connections->unseen.bytes
		       ? (double)connections->half.wait_ns
		       : 0;
}

static double blocked_ns(const struct run *run, unsigned causes)
{
	double ns = 0;

	for (size_t i = 0; i < run->process_count && !run->mpi.ranks.count; i++)
		ns += finding_working_ns(&run->processes[i], finding_blocked_ns, causes);
	return ns;
}

/* For which descriptor a thread waits in poll is not known. */
static struct pause_waits waits_of(const struct run *run, unsigned causes)
{
	double transfers_ns = blocked_ns(run, TRANSFERS);
	const struct connections *connections = &run->pipelines.connections;
	double inner_ns = (double)connections->within_ns + half_seen_pipes_ns(connections) +
			  nameless_sockets_ns(run);
	struct pause_waits waits = {.inner = OF_OTHERS};

	if (transfers_ns > 0)
		waits.inner_transfers = fmin(1, inner_ns / transfers_ns);
	if (inner_ns > 0)
		waits.inner |= FINDING_CAUSE(EVENTS);
	waits.outer = (FINDING_CAUSE(SLEEP) | FINDING_CAUSE(OTHER) | CAUSES_OF_IO) &
		      ~(causes | waits.inner | TRANSFERS);
	if (finding_has_sleeping_holder(run))
		waits.inner |= CAUSES_OF_LOCKS;
	else if (causes == FINDING_CAUSE(SLEEP))
		waits.outer |= CAUSES_OF_LOCKS;
	return waits;
}

double finding_pause_rest_ns(const struct run *run, unsigned causes)
{
	struct pause_waits waits = waits_of(run, causes);

	return blocked_ns(run, waits.outer) +
	       (1 - waits.inner_transfers) * blocked_ns(run, TRANSFERS);
}

static double rank_pause_ns(const struct run *run, const struct mpi_rank *rank, unsigned causes)
{
	double ns = finding_working_ns(&run->processes[rank->process], finding_blocked_ns, causes);

	return finding_per_unit(rank, fmin(ns, (double)rank->wait_ns));
}

double finding_pause_path_ns(const struct run *run, unsigned causes)
{
	struct pause_waits waits = waits_of(run, causes);
	double path_ns = 0, pauses_ns = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];
		double busiest_ns = idle_busiest_ns(process);

		for (size_t j = 0; process->rank == MPI_NO_RANK && j < process->thread_count; j++) {
			const struct thread_time *time = &process->threads[j];
			double pause_ns = finding_blocked_ns(time, causes);

			if (idle_thread(time, busiest_ns))
				continue;
			pauses_ns += pause_ns;
			path_ns =
				fmax(path_ns, pause_ns + finding_blocked_ns(time, waits.inner) +
						      waits.inner_transfers *
							      finding_blocked_ns(time, TRANSFERS));
		}
	}
	for (size_t i = 0; i < run->mpi.ranks.count; i++) {
		const struct mpi_rank *rank = &run->mpi.ranks.rows[i];
		double pause_ns = rank_pause_ns(run, rank, causes);

		pauses_ns += pause_ns;
		path_ns = fmax(path_ns, pause_ns + finding_waits_of_rank_ns(&run->mpi, rank));
	}
	return fmin(path_ns, pauses_ns);
}

double finding_pause_cause_ns(const struct run *run, double path_ns)
{
	const struct mpi *mpi = &run->mpi;
	double least_ns =
		mpi->ranks.count ? finding_least_lost_ns(mpi, finding_no_ready_of_rank_ns) : 0;

	return least_ns > 0 ? fmin(least_ns, path_ns) : 0;
}
