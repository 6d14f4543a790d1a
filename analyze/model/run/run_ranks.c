/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_ranks.h"

#include "analyze/model/run/run_lives.h"
#include "analyze/model/run/run_processors.h"

enum what { RANKS, UNITS };

/* The most that were there at once; host: NULL: on all of them. */
static uint64_t most_at_once(const struct run *run, const char *host, enum what what)
{
	struct lives lives = {0};

	for (size_t i = 0; i < run->mpi.ranks.count; i++) {
		const struct mpi_rank *rank = &run->mpi.ranks.rows[i];
		const struct process *process = &run->processes[rank->process];
		const struct life life =
			lives_of_process(run, process, what == UNITS ? rank->units : 1);

		if (!host || process->file->process.host == host)
			lives_add(&lives, &life);
	}
	uint64_t most = lives.count ? (uint64_t)lives_most(&lives, 0) : 0;

	lives_clear(&lives);
	return most;
}

/* Has this host more threads for each of its processors than the other one? */
static bool is_fuller(uint64_t units, uint64_t processors, const struct mpi_at_once *than)
{
	return (double)units * (double)than->host_processors >
	       (double)than->host_units * (double)processors;
}

struct mpi_at_once run_ranks_at_once(const struct run *run)
{
	struct mpi_at_once most = {0};

	if (!run->mpi.ranks.count)
		return most;
	most.units = most_at_once(run, NULL, UNITS);
	for (size_t i = 0; i < run->host_count; i++) {
		const char *host = run->hosts[i];
		uint64_t units = most_at_once(run, host, UNITS);
		uint64_t processors =
			run_count_processors(run->processes, run->process_count, &host, 1);

		if (most.host_processors && !is_fuller(units, processors, &most))
			continue;
		most.host_ranks = most_at_once(run, host, RANKS);
		most.host_units = units;
		most.host_processors = processors;
	}
	return most;
}
