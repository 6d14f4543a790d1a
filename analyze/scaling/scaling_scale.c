/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/scaling_scale.h"

#include "analyze/model/run/run_lives.h"

#include <math.h>

#define BRIEF_PERCENT   1
#define JOINING_PERCENT 50

double scaling_elapsed_ns(const struct run *run)
{
	if (run->mpi.ranks.count && isfinite(run->mpi.efficiency.elapsed_ns))
		return run->mpi.efficiency.elapsed_ns;
	return (double)run->elapsed_ns;
}

bool scaling_is_program(const struct run *run, const struct process *process,
			const struct thread_time *thread)
{
	if (run->mpi.ranks.count && process->rank == MPI_NO_RANK)
		return false;
	return !(thread->thread->flags & THREAD_OF_MPI);
}

/* ---- threads */

static void add_process(const struct run *run, struct lives *lives, const struct process *process)
{
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct life life = lives_of_thread(run, process, &process->threads[i]);

		if (scaling_is_program(run, process, &process->threads[i]))
			lives_add(lives, &life);
	}
}

/* There are too many threads for a row of each. The sum of their lives tells for how long they
 * lived at the same time; one thread may have waited for the others to end. */
static double of_sums(const struct process *process)
{
	double threads = (double)process->file->process.threads_peak;
	double shared =
		((double)process->sum.lifetime_ns - (double)process->elapsed_ns) / (threads - 1);
	double joining = thread_joining_ns(&process->sum);
	bool is_joining = joining > 0 && 100 * joining >= JOINING_PERCENT * shared;

	return threads > 1 ? threads - is_joining : 1;
}

/* ---- the three kinds */

static struct scaling_scale of_threads(const struct run *run)
{
	struct scaling_scale scale = {.kind = SCALE_THREADS, .alone_ns = NAN};
	double elapsed = scaling_elapsed_ns(run);
	struct lives lives = {0};

	for (size_t i = 0; i < run->process_count; i++)
		add_process(run, &lives, &run->processes[i]);
	if (!lives.count) {
		scale.p = of_sums(run->focus);
		return scale;
	}
	scale.alone_ns = fmax(0, elapsed - lives_shared_ns(&lives));
	lives_drop_joining(&lives);
	scale.p = lives_most(&lives, BRIEF_PERCENT * elapsed / 100);
	lives_clear(&lives);
	return scale;
}

struct scaling_scale scaling_scale_of(const struct run *run)
{
	struct scaling_scale scale = of_threads(run);

	if (run->mpi.ranks.count && run->mpi.efficiency.units) {
		scale.kind = SCALE_MPI;
		scale.p = (double)run->mpi.efficiency.units;
	} else if (run->omp.is_used && run->omp.totals.threads) {
		scale.kind = SCALE_OPENMP;
		scale.p = (double)run->omp.totals.threads;
	}
	return scale;
}
