/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/run/run_create.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/process/process_clock.h"
#include "analyze/model/run/run_accumulators.h"
#include "analyze/model/run/run_notes.h"
#include "analyze/model/run/run_processors.h"
#include "analyze/model/run/run_ranks.h"
#include "analyze/model/run/run_sketch.h"
#include "analyze/model/run/run_together.h"
#include "analyze/symbols/symbolize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the run as a whole */

/* Equal names are the same text of the run's files. */
static bool has_host(const struct run *run, const char *host)
{
	for (size_t i = 0; i < run->host_count; i++)
		if (run->hosts[i] == host)
			return true;
	return false;
}

static void add_hosts(struct run *run)
{
	run->hosts = memory_allocate(run->process_count, sizeof *run->hosts);
	for (size_t i = 0; i < run->process_count; i++)
		if (!has_host(run, run->processes[i].file->process.host))
			run->hosts[run->host_count++] = run->processes[i].file->process.host;
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : NAN;
}

/* Context switches per second of CPU time above which threads run for less than 50 us at a time.
 * Then the microseconds that a profiler adds before and after a wait decide who waits for whom, and
 * the program's switches are not those that it has without the profiler. (Native 750, profiled
 * 57,000, and the run took 59 % longer.) */
#define SWITCHES_MOST 20000

/* Births and ends of threads cost CPU time beyond the threads' own. No more than all of it. */
static double overhead_percent(const struct run *run, double own_cost_ns)
{
	double all_ns = (double)run->cpu_ns + (double)run->beyond_cpu_ns;

	return percent(fmin(own_cost_ns, all_ns), all_ns);
}

static void add_sums(struct run *run)
{
	double own_cost = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		run->cpu_ns += process->cpu_ns;
		run->beyond_cpu_ns += process->beyond_cpu_ns;
		run->switches += process->switches;
		run->ready_ns += process->ready_ns;
		run->own_start_ns += process_own_start(process);
		own_cost += (double)process->own_cost_ns;
		run->thread_count += process->thread_lives;
	}
	add_hosts(run);
	run->processors = run_count_processors(run->processes, run->process_count, run->hosts,
					       run->host_count);
	run->has_clocks = process_clocks_are_several(run->processes, run->process_count);
	run->elapsed_ns = run_elapsed_ns(run->processes, run->process_count);
	run->overhead_percent = overhead_percent(run, own_cost);
	run->is_overhead_bounded =
		(double)run->switches <= SWITCHES_MOST * (double)run->cpu_ns / 1e9;
	run->average_processors = percent((double)run->cpu_ns, (double)run->elapsed_ns) / 100;
	run->efficiency_percent = percent(run->average_processors, (double)run->processors);
}

/* CPU time in the program's own code, by samples. */
struct own_code {
	double ns, samples;
};

static struct own_code own_code_of(const struct run *run)
{
	struct own_code own = {0};

	for (size_t i = 0; i < run->routines.count; i++) {
		const struct routine_time *row = &run->routines.rows[i];
		const struct routine *routine = names_routine(run->names, row->routine);

		if (!*routine->module || routine->is_runtime || runtime_is_mpi(routine->module))
			continue;
		own.ns += (double)row->self_ns;
		own.samples += (double)row->samples;
	}
	return own;
}

/* The useful time of ranks is that in no wait; samples of the program's own code are a second
 * measurement of it. If they found more, by three standard deviations, the useful time is only an
 * estimate. Other processes may have had samples as well. */
static void doubt_useful_time(struct run *run)
{
	struct own_code own = own_code_of(run);
	double ranks_ns = 0, others_ns = (double)run->cpu_ns;

	for (size_t i = 0; i < run->mpi.ranks.count; i++) {
		ranks_ns += run->mpi.ranks.rows[i].useful_ns;
		others_ns -= (double)run->mpi.ranks.rows[i].cpu_ns;
	}
	if (!(own.samples > 0) ||
	    own.ns * (1 - 3 / sqrt(own.samples)) <= ranks_ns + fmax(0, others_ns))
		return;
	for (size_t i = 0; i < run->mpi.ranks.count; i++) {
		struct mpi_rank *rank = &run->mpi.ranks.rows[i];

		rank->useful_grade = grade_worse(rank->useful_grade, GRADE_ESTIMATED);
		rank->between_grade = grade_worse(rank->between_grade, GRADE_ESTIMATED);
	}
	run->mpi.efficiency.grade = grade_worse(run->mpi.efficiency.grade, GRADE_ESTIMATED);
	run->mpi.between.useful.grade = grade_worse(run->mpi.between.useful.grade, GRADE_ESTIMATED);
}

/* Which part of its waits in the OpenMP runtime a thread spent on a processor is inferred from its
 * whole life. Samples give a bound: no more than the CPU time outside of the program's own code. */
static void bound_spinning(struct run *run)
{
	double left_ns = fmax(0, (double)run->cpu_ns - own_code_of(run).ns);

	run->omp.totals.spin_ns = fmin(run->omp.totals.spin_ns, left_ns);
}

struct run *run_create(struct run_files *files, struct symbolizer *symbolizer, unsigned wants)
{
	struct accumulators accumulators;
	char *kept = memory_print("%s/symbols", files->directory);

	symbolizer_add_kept(symbolizer, kept);
	free(kept);
	struct run *run = run_read(files, symbolizer, wants, &accumulators);

	run->start = run_start_text(files);
	run->command = run_command(files);
	add_sums(run);
	run->synchronization = synchronization_accumulator_finish(accumulators.synchronization);
	run->routines = routine_accumulator_finish(accumulators.routines);
	run->calls = call_accumulator_finish(accumulators.calls);
	run->mpi = mpi_accumulator_finish(accumulators.mpi, run->processors);
	run->mpi.at_once = run_ranks_at_once(run);
	doubt_useful_time(run);
	run->omp = omp_accumulator_finish(accumulators.omp);
	bound_spinning(run);
	run->timeline = run_timeline_finish(accumulators.timeline);
	run->together = run_together_of(run);
	run->pipelines = pipelines_of(pipe_ends_accumulator_finish(accumulators.pipe_ends),
				      run->processes, run->process_count);
	run->requests = requests_accumulator_finish(accumulators.requests, run->processes,
						    run->process_count);
	run->sections = sections_accumulator_finish(accumulators.sections);
	run->stuck = stuck_accumulator_finish(accumulators.stuck, run->processes,
					      run->process_count, run->is_complete);
	run->counters = counters_accumulator_finish(accumulators.counters, run->elapsed_ns);
	if (accumulators.paths)
		run->paths = path_accumulator_finish(accumulators.paths);
	run_notes_accumulator_finish(accumulators.notes, run);
	run_notes_add_names(run);
	return run;
}
