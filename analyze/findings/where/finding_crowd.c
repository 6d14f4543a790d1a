/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_crowd.h"

#include "analyze/model/process/idle_threads.h"
#include "analyze/model/run/run.h"
#include "analyze/model/run/run_lives.h"

/* A row that several threads shared one after the other tells only when the last one began. */
static bool has_own_rows(const struct process *process)
{
	bool has_life = false;

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct profile_thread *row = process->threads[i].thread;

		if (row->lives > 1)
			return false;
		has_life |= row->birth_ns > 0;
	}
	return has_life;
}

static bool is_joining(const struct thread_time *time)
{
	return time->lifetime_ns && 2 * thread_joining_ns(time) >= (double)time->lifetime_ns;
}

/* From the peak of a process, if it is not known which threads there were at that time. */
static uint64_t wanting_of_peak(const struct process *process)
{
	uint64_t peak = process->file->process.threads_peak, bystanders = 0;
	double busiest = idle_busiest_ns(process);

	for (size_t i = 0; i < process->thread_count; i++)
		bystanders += idle_thread(&process->threads[i], busiest) ||
			      is_joining(&process->threads[i]);
	return peak > bystanders ? peak - bystanders : 1;
}

static void add_threads(struct lives *lives, const struct run *run, const struct process *process,
			bool is_wanting)
{
	double busiest = idle_busiest_ns(process);

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct life life = lives_of_thread(run, process, &process->threads[i]);

		if (!is_wanting || !idle_thread(&process->threads[i], busiest))
			lives_add(lives, &life);
	}
}

static void add_process(struct lives *lives, const struct run *run, const struct process *process,
			bool is_wanting)
{
	if (has_own_rows(process)) {
		add_threads(lives, run, process, is_wanting);
		return;
	}
	uint64_t peak = is_wanting ? wanting_of_peak(process) : process->file->process.threads_peak;
	const struct life life = lives_of_process(run, process, peak);

	lives_add(lives, &life);
}

/* Of processes that are no ranks. */
static uint64_t most_at_once(const struct run *run, bool is_wanting)
{
	struct lives lives = {0};

	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].rank == MPI_NO_RANK)
			add_process(&lives, run, &run->processes[i], is_wanting);
	if (is_wanting)
		lives_drop_joining(&lives);
	uint64_t most = lives.count ? (uint64_t)lives_most(&lives, 0) : 0;

	lives_clear(&lives);
	return most;
}

static const struct process *only_process(const struct run *run)
{
	return run->process_count == 1 && run->processes->rank == MPI_NO_RANK ? run->processes
									      : NULL;
}

/* For a single process the profile has the peak. */
uint64_t finding_threads_at_once(const struct run *run)
{
	const struct process *only = only_process(run);

	return only ? only->file->process.threads_peak
		    : most_at_once(run, false) + run->mpi.at_once.units;
}

/* By lives and CPU times. */
static uint64_t wanting_by_lives(const struct run *run)
{
	const struct process *only = only_process(run);

	if (only && !has_own_rows(only))
		return wanting_of_peak(only);
	return most_at_once(run, true);
}

uint64_t finding_threads_wanting(const struct run *run)
{
	if (run->mpi.at_once.units)
		return run->mpi.at_once.units;
	uint64_t most = wanting_by_lives(run), team = run->omp.totals.threads;

	/* a member without work is no idle thread: that may be what is wrong */
	most = team > most ? team : most;
	return most ? most : 1;
}

static double working_ns(const struct process *process)
{
	double ns = 0, busiest = idle_busiest_ns(process);

	if (!process->threads)
		return (double)process->sum.lifetime_ns - thread_joining_ns(&process->sum);
	for (size_t i = 0; i < process->thread_count; i++)
		if (!idle_thread(&process->threads[i], busiest))
			ns += (double)process->threads[i].lifetime_ns -
			      thread_joining_ns(&process->threads[i]);
	return ns;
}

double finding_threads_on_average(const struct run *run)
{
	double ns = 0;

	if (run->mpi.ranks.count)
		return (double)run->mpi.at_once.units;
	for (size_t i = 0; i < run->process_count; i++)
		ns += working_ns(&run->processes[i]);
	return run->elapsed_ns ? ns / (double)run->elapsed_ns : 0;
}
