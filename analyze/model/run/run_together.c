/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_together.h"

#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/model/mpi/job_concurrency.h"
#include "analyze/model/run/run.h"
#include "analyze/model/run/run_lives.h"

#include <math.h>
#include <stdlib.h>

/* A damaged profile may say any number, and each level is looked at. */
#define PROCESSORS_MAX 4096

static uint64_t processors_of(const struct run *run)
{
	bool is_known = run->processors && run->processors < PROCESSORS_MAX;

	return is_known ? run->processors : PROCESSORS_MAX;
}

/* Processes in the place of ranks: all on one clock. */
struct together {
	struct mpi_ranks ranks;
	struct mpi_clocks clocks;
	struct job_concurrency job;
	unsigned shift;
};

/* The program's life, without what it waited for the profiler. */
static struct life life_of(const struct run *run, const struct process *process)
{
	struct life life = lives_of_process(run, process, 1);
	double wait_ns = (double)process->file->process.start_wait_ns;

	life.begin_ns += wait_ns;
	life.end_ns += wait_ns;
	return life;
}

static double rate_of(const struct life *life, double time_ns, double most)
{
	return fmin(time_ns / (life->end_ns - life->begin_ns), most);
}

static void add_process(struct together *all, const struct process *process,
			const struct life *life, double most)
{
	double bin_ns = ldexp(1, (int)all->shift);
	double first = floor(life->begin_ns / bin_ns), last = floor(life->end_ns / bin_ns);
	double threads = process->thread_count ? (double)process->thread_count : most;
	double ns_of[JOB_METRICS] = {
		[JOB_ON_PROCESSOR] = (double)process->cpu_ns, [JOB_USEFUL] = process->useful_ns};

	if (!(life->end_ns > life->begin_ns) || !(last - first <= TOGETHER_BINS))
		return;
	struct job_line line = job_line_create(process->index, all->shift, number_of_real(first),
					       (size_t)(last - first) + 1);

	for (size_t i = 0; i < line.count; i++) {
		double low = (first + (double)i) * bin_ns;
		double ns = fmin(low + bin_ns, life->end_ns) - fmax(low, life->begin_ns);

		for (size_t metric = 0; metric < JOB_METRICS; metric++)
			line.bins[metric][i] = (float)fmax(
				0, ns * rate_of(life, ns_of[metric], fmin(threads, most)));
	}
	all->ranks.rows[all->ranks.count++] =
		(struct mpi_rank){.process = process->index,
				  .start_ns = number_of_real(life->begin_ns),
				  .end_ns = number_of_real(life->end_ns)};
	job_concurrency_append(&all->job, &line);
}

static unsigned shift_of(uint64_t elapsed_ns)
{
	unsigned shift = 0;

	while (elapsed_ns >> shift >= TOGETHER_BINS - 1)
		shift++;
	return shift;
}

static void add_processes(struct together *all, const struct run *run)
{
	for (size_t i = 0; i < run->process_count; i++) {
		struct life life = life_of(run, &run->processes[i]);

		add_process(all, &run->processes[i], &life, (double)processors_of(run));
	}
}

struct run_together run_together_of(const struct run *run)
{
	struct mpi_host_clock clock = {.name = ""};
	struct together all = {.shift = shift_of(run->elapsed_ns)};
	uint64_t processors = processors_of(run);

	if (run->process_count < 2 || run_is_job(run) || !run->elapsed_ns)
		return (struct run_together){efficiency_unknown(), efficiency_unknown()};
	all.ranks.rows = memory_allocate(run->process_count, sizeof *all.ranks.rows);
	all.clocks = (struct mpi_clocks){
		.hosts = &clock,
		.host_count = 1,
		.host_of = memory_allocate(run->process_count, sizeof *all.clocks.host_of)};
	add_processes(&all, run);
	struct run_together together = {
		.on_processor = job_concurrency_of(&all.job, JOB_ON_PROCESSOR, &all.ranks,
						   &all.clocks, processors, processors),
		.useful = job_concurrency_of(&all.job, JOB_USEFUL, &all.ranks, &all.clocks,
					     processors, processors),
	};

	job_concurrency_clear(&all.job);
	free(all.clocks.host_of);
	free(all.ranks.rows);
	return together;
}
