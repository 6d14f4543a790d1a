/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_end_notes.h"

#include "analyze/model/run/run.h"
#include "preload/file/vocabulary.h"

/* Of several ranks that did, each is told: who was first is not known. */
static void add_aborts(struct run *run)
{
	for (size_t i = 0; i < run->mpi.ranks.count; i++) {
		const struct mpi_rank *rank = &run->mpi.ranks.rows[i];

		if (rank->flags & MPI_ABORTED)
			text_list_add(&run->notes,
				      "rank %llu (process %u) called MPI_Abort with error code %d, "
				      "which ends all ranks",
				      (unsigned long long)rank->rank,
				      run->processes[rank->process].file->header.pid,
				      (int)(int32_t)rank->abort_code);
	}
}

static const struct mpi_rank *rank_of(const struct run *run, size_t process)
{
	for (size_t i = 0; i < run->mpi.ranks.count; i++)
		if (run->mpi.ranks.rows[i].process == process)
			return &run->mpi.ranks.rows[i];
	return NULL;
}

static bool is_aborted(const struct run *run, const struct mpi_rank *rank)
{
	for (size_t i = 0; i < run->mpi.ranks.count; i++)
		if (run->mpi.ranks.rows[i].job == rank->job &&
		    run->mpi.ranks.rows[i].flags & MPI_ABORTED)
			return true;
	return false;
}

/* Why nobody saw the end of a rank: as a rule only its launcher waits for it. */
static const char *unseen_end_of_rank(const struct run *run, size_t process)
{
	const struct mpi_rank *rank = rank_of(run, process);

	if (rank && is_aborted(run, rank))
		return "process %u %s: it was killed, as a rank of its job called MPI_Abort";
	if (process_life_has_parent(run->files, process))
		return "process %u %s: it was killed, and its launcher did not wait for it";
	return "process %u %s: it was killed, or the machine stopped; how a rank ended is "
	       "known where its launcher is profiled (ptrace-run mpirun ...)";
}

static void add_end(struct run *run, size_t index)
{
	const struct process *process = &run->processes[index];
	bool is_rank = run->files->processes[index].rank_count > 0;

	text_list_add(&run->notes,
		      process->life.state == LIFE_UNKNOWN && is_rank
			      ? unseen_end_of_rank(run, index)
		      : process->life.state == LIFE_UNKNOWN
			      ? "process %u %s: it was killed, or the machine stopped"
		      : process->life.state == LIFE_RUNNING
			      ? "process %u is %s: the report shows it until now"
			      : "process %u was %s",
		      process->file->header.pid, process->status);
}

void run_note_ends(struct run *run)
{
	add_aborts(run);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < run->process_count; i++)
			if (!run->processes[i].life.is_complete &&
			    process_life_is_needed(run->files, i) == !pass)
				add_end(run, i);
}
