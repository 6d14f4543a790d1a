/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/run.h"

#include "analyze/memory.h"
#include "analyze/model/conservation.h"
#include "analyze/model/run_notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- processes */

static uint64_t own_cost_ns(const struct profile *profile)
{
	const struct profile_process *row = &profile->process;
	double cost = (double)row->start_cost_ns;

	for (size_t i = 0; i < profile->tallies.count; i++)
		cost += (double)profile->tallies.rows[i].count * (double)row->tally_cost_ps / 1000;
	for (size_t i = 1; i < profile->threads.count; i++)
		cost += (double)profile->threads.rows[i].unlocks * (double)row->tally_cost_ps /
				1000 +
			(double)profile->threads.rows[i].tool_ns +
			(double)profile->threads.rows[i].samples * (double)row->signal_cost_ps /
				1000;
	return cost < 1e18 ? (uint64_t)cost : UINT64_MAX;
}

static void add_threads(struct process *process)
{
	const struct profile *profile = process->profile;

	process->threads = memory_allocate(profile->threads.count, sizeof *process->threads);
	for (size_t i = 1; i < profile->threads.count; i++) {
		if (!profile->threads.rows[i].tid)
			continue;
		struct thread_time time = thread_time_of(profile, i, process->life.end_ns);

		process->cpu_ns += thread_time_cpu(&time);
		process->ready_ns += time.ready_ns;
		process->threads[process->thread_count++] = time;
	}
}

static void add_processes(struct run *run)
{
	const struct run_files *files = run->files;

	run->processes = memory_allocate(files->process_count, sizeof *run->processes);
	run->process_count = files->process_count;
	for (size_t i = 0; i < files->process_count; i++) {
		struct process *process = &run->processes[i];

		process->profile = files->processes[i].profile;
		process->life = process_life_of(files, i);
		process->status = process_life_text(&process->life);
		process->rank = mpi_rank_of(process->profile);
		process->elapsed_ns = process->life.end_ns - process->profile->header.start_ns;
		process->own_cost_ns = own_cost_ns(process->profile);
		add_threads(process);
		if (!run->focus || process->cpu_ns > run->focus->cpu_ns)
			run->focus = process;
	}
}

/* ---- the run as a whole */

/* Hosts have clocks of their own; only the time of day can compare them. */
static uint64_t elapsed_ns(const struct run *run)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];
		const struct format_header *header = &process->profile->header;
		uint64_t start = run->host_count > 1 ? header->start_realtime_ns : header->start_ns;

		first = start < first ? start : first;
		last = start + process->elapsed_ns > last ? start + process->elapsed_ns : last;
	}
	return last > first ? last - first : 0;
}

static bool has_host(const struct run *run, const char *host)
{
	for (size_t i = 0; i < run->host_count; i++)
		if (!strcmp(run->hosts[i], host))
			return true;
	return false;
}

static void add_hosts(struct run *run)
{
	run->hosts = memory_allocate(run->process_count, sizeof *run->hosts);
	for (size_t i = 0; i < run->process_count; i++)
		if (!has_host(run, run->processes[i].profile->process.host))
			run->hosts[run->host_count++] = run->processes[i].profile->process.host;
}

/* Processes of one host share its processors, or parts of them; the largest part is the best that
 * is known. */
static uint64_t count_processors(const struct run *run)
{
	uint64_t sum = 0;

	for (size_t h = 0; h < run->host_count; h++) {
		uint64_t most = 0;

		for (size_t i = 0; i < run->process_count; i++) {
			const struct profile_process *row = &run->processes[i].profile->process;

			if (!strcmp(row->host, run->hosts[h]) && row->processors > most)
				most = row->processors;
		}
		sum += most;
	}
	return sum;
}

static char *start_text(const struct run_files *files)
{
	if (files->start)
		return memory_copy_text(files->start);
	time_t seconds =
		(time_t)(files->processes[0].profile->header.start_realtime_ns / 1000000000u);
	struct tm local;
	char text[64];

	if (!localtime_r(&seconds, &local) ||
	    !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S%z", &local))
		return memory_copy_text("unknown");
	return memory_copy_text(text);
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : NAN;
}

static void add_sums(struct run *run)
{
	double own_cost = 0;

	run->is_complete = !run->files->is_damaged;
	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		run->cpu_ns += process->cpu_ns;
		run->ready_ns += process->ready_ns;
		run->is_complete &= process->life.is_complete;
		own_cost += (double)process->own_cost_ns;
		for (size_t t = 0; t < process->thread_count; t++)
			run->thread_count += process->threads[t].thread->lives
						     ? process->threads[t].thread->lives
						     : 1;
	}
	add_hosts(run);
	run->processors = count_processors(run);
	run->elapsed_ns = elapsed_ns(run);
	run->overhead_percent = percent(own_cost, (double)run->cpu_ns);
	run->average_processors = percent((double)run->cpu_ns, (double)run->elapsed_ns) / 100;
	run->efficiency_percent = percent(run->average_processors, (double)run->processors);
}

static void add_concurrency(struct run *run)
{
	const struct process *focus = run->focus;

	run->on_processor = efficiency_of(focus->profile, CONCURRENCY_ON_PROCESSOR,
					  focus->elapsed_ns, focus->cpu_ns);
	run->useful =
		efficiency_of(focus->profile, CONCURRENCY_USEFUL, focus->elapsed_ns, focus->cpu_ns);
	/* Useful is what is on a processor less the waits: it cannot be known better. */
	if (run->useful.grade < run->on_processor.grade)
		run->useful.grade = run->on_processor.grade;
}

/* The own cost is added up from measured costs of single events; samples that hit the profiler's
 * own code are another measurement of the same. Where they found more, the larger figure is shown.
 */
static void check_own_cost(struct run *run)
{
	enum { SAMPLES_MIN = 20 };

	for (size_t i = 0; i < run->routines.count; i++) {
		const struct routine_time *row = &run->routines.rows[i];
		if (strcmp(names_routine(run->names, row->routine)->name, NAMES_PROFILER) ||
		    row->samples < SAMPLES_MIN)
			continue;
		double sampled = percent((double)row->self_ns, (double)run->cpu_ns);
		run->overhead_percent = fmax(run->overhead_percent, sampled);
	}
}

static struct mpi mpi_of(const struct run *run)
{
	struct mpi_account *account = mpi_account_create(run->names);

	for (size_t i = 0; i < run->process_count; i++)
		mpi_account_add(account, run->processes[i].profile, i,
				run->processes[i].life.end_ns);
	return mpi_account_finish(account);
}

struct run *run_create(const struct run_files *files, struct symbolizer *symbolizer,
		       bool by_process)
{
	struct run *run = memory_allocate(1, sizeof *run);

	run->files = files;
	run->names = names_create(symbolizer);
	run->start = start_text(files);
	run->command =
		files->command ? files->command : files->processes[0].profile->process.command;
	add_processes(run);
	add_sums(run);
	add_concurrency(run);
	run_notes_add_files(run);
	run->synchronization =
		synchronization_of(run->names, run->processes, run->process_count, &run->notes);
	run->routines =
		routine_times_of(run->names, run->processes, run->process_count, by_process);
	run->mpi = mpi_of(run);
	check_own_cost(run);
	conservation_check_samples(run->routines.excess_ns, &run->notes);
	run->findings = findings_of(run, &run->finding_count);
	run_notes_add_names(run);
	return run;
}

void run_destroy(struct run *run)
{
	for (size_t i = 0; i < run->process_count; i++) {
		free(run->processes[i].status);
		free(run->processes[i].threads);
	}
	free(run->processes);
	free(run->hosts);
	free(run->start);
	efficiency_clear(&run->on_processor);
	efficiency_clear(&run->useful);
	synchronization_clear(&run->synchronization);
	routine_times_clear(&run->routines);
	mpi_clear(&run->mpi);
	findings_free(run->findings, run->finding_count);
	text_list_clear(&run->notes);
	names_destroy(run->names);
	free(run);
}
