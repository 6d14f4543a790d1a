/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/scaling_scale.h"

#include "analyze/memory.h"

#include <math.h>
#include <stdlib.h>

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

/* ---- lives of threads, as steps of a curve */

struct life {
	double begin_ns, end_ns;
	double joining_ns;
};

struct lives {
	struct life *rows;
	size_t count, capacity;
};

/* At `time_ns` one more or one less is alive, which makes `alive` from there on; before it, two or
 * more were alive for `shared_ns`. */
struct step {
	double time_ns;
	int by, alive;
	double shared_ns;
};

struct steps {
	struct step *rows;
	size_t count;
};

/* Processes of several hosts meet by the time of day. */
static double offset_ns(const struct run *run, const struct process *process)
{
	const struct format_header *header = &process->file->header;

	return run->host_count > 1 ? (double)header->start_realtime_ns - (double)header->start_ns
				   : 0;
}

static void add_process(const struct run *run, struct lives *lives, const struct process *process)
{
	double offset = offset_ns(run, process);

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];
		const struct profile_thread *thread = time->thread;
		uint64_t end =
			thread->flags & THREAD_ALIVE ? process->life.end_ns : thread->updated_ns;

		struct life life = {
			.begin_ns = offset + (double)thread->birth_ns,
			.end_ns = offset + (double)end,
			.joining_ns = (double)(time->by_cause_ns[CAUSE_JOIN] +
					       time->by_cause_ns[CAUSE_PROCESS]),
		};

		/* Of instants that a damaged profile has centuries from now, doubles may be equal;
		 * who ends before it begins would be counted as less than nobody. */
		if (!scaling_is_program(run, process, time) || !(life.end_ns > life.begin_ns))
			continue;
		lives->rows = memory_grow(lives->rows, lives->count, &lives->capacity,
					  sizeof *lives->rows);
		lives->rows[lives->count++] = life;
	}
}

static int compare_steps(const void *left, const void *right)
{
	const struct step *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns > b->time_ns ? 1 : -1;
	return a->by - b->by; /* one that ends makes room for one that begins */
}

static struct steps make_steps(const struct lives *lives)
{
	struct steps steps = {memory_allocate(2 * lives->count + 1, sizeof *steps.rows), 0};
	int alive = 0;

	for (size_t i = 0; i < lives->count; i++) {
		steps.rows[steps.count++] = (struct step){lives->rows[i].begin_ns, 1, 0, 0};
		steps.rows[steps.count++] = (struct step){lives->rows[i].end_ns, -1, 0, 0};
	}
	qsort(steps.rows, steps.count, sizeof *steps.rows, compare_steps);
	for (size_t i = 0; i < steps.count; i++) {
		struct step *step = &steps.rows[i];

		if (i)
			step->shared_ns = step[-1].shared_ns +
					  (alive > 1 ? step->time_ns - step[-1].time_ns : 0);
		alive += step->by;
		step->alive = alive;
	}
	return steps;
}

/* With two or more alive, before an instant that is a step. */
static double shared_before(const struct steps *steps, double time_ns)
{
	size_t low = 0, high = steps->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (steps->rows[middle].time_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low < steps->count ? steps->rows[low].shared_ns : 0;
}

static void drop_joining(struct lives *lives, const struct steps *steps)
{
	size_t kept = 0;

	for (size_t i = 0; i < lives->count; i++) {
		const struct life *life = &lives->rows[i];
		double shared =
			shared_before(steps, life->end_ns) - shared_before(steps, life->begin_ns);

		if (!(life->joining_ns > 0) || 100 * life->joining_ns < JOINING_PERCENT * shared)
			lives->rows[kept++] = *life;
	}
	lives->count = kept;
}

/* The most alive for long enough; 1 at least. */
static double most_alive(const struct steps *steps, double least_ns)
{
	int most = 0;

	for (size_t i = 0; i < steps->count; i++)
		most = steps->rows[i].alive > most ? steps->rows[i].alive : most;
	double *at = memory_allocate((size_t)most + 2, sizeof *at), sum = 0;

	for (size_t i = 0; i + 1 < steps->count; i++)
		at[steps->rows[i].alive] += steps->rows[i + 1].time_ns - steps->rows[i].time_ns;
	for (; most > 1; most--)
		if ((sum += at[most]) >= least_ns)
			break;
	free(at);
	return most > 1 ? most : 1;
}

/* Too many threads for a row of each. If they lived together for a time, their lives say how long;
 * one may have waited for the others to end. */
static double of_sums(const struct process *process)
{
	double threads = (double)process->file->process.threads_peak;
	double shared =
		((double)process->sum.lifetime_ns - (double)process->elapsed_ns) / (threads - 1);
	double joining = (double)(process->sum.by_cause_ns[CAUSE_JOIN] +
				  process->sum.by_cause_ns[CAUSE_PROCESS]);
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
	struct steps all = make_steps(&lives);

	scale.alone_ns = fmax(0, elapsed - all.rows[all.count - 1].shared_ns);
	drop_joining(&lives, &all);
	struct steps units = make_steps(&lives);

	scale.p = most_alive(&units, BRIEF_PERCENT * elapsed / 100);
	free(all.rows);
	free(units.rows);
	free(lives.rows);
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
