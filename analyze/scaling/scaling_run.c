/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/scaling_run.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/counters/counter_roles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What was counted in no wait: threads that spin or poll execute instructions, but no work. What no
 * sample has is divided as what they have. NAN: not counted. */
static double useful_count(const struct counters *counters, enum counter_role role)
{
	size_t event = counters_role(counters, role);
	const struct counter_places *causes = &counters->of[COUNTER_CAUSE];
	double useful = 0, sampled = 0;

	if (!event)
		return NAN;
	for (size_t i = 0; i < causes->count; i++) {
		double count = counters_value(counters, causes->rows[i], event, COUNTER_SELF);

		if (causes->rows[i]->a == COUNTER_WHOLE)
			continue;
		sampled += count;
		useful += causes->rows[i]->a ? 0 : count;
	}
	return counters->rows[event].scaled * (sampled > 0 ? useful / sampled : 1);
}

static struct scaling_counters counters_of(const struct run *run)
{
	return (struct scaling_counters){useful_count(&run->counters, COUNTER_INSTRUCTIONS),
					 useful_count(&run->counters, COUNTER_CYCLES)};
}

/* The process with the most CPU time is the program: launchers and shells are not. */
static char *program_of(const struct run *run)
{
	const struct profile_process *process = &run->focus->file->process;
	const char *path = process->executable && *process->executable ? process->executable
								       : process->command;
	const char *name = runtime_base_name(path ? path : "");

	return memory_print("%.*s", (int)strcspn(name, " "), name);
}

static void set_sequential(struct scaling_run *it, const struct efficiency *useful)
{
	if (useful->grade == GRADE_UNKNOWN || !isfinite(useful->sequential_percent))
		return;
	it->sequential_ns = useful->sequential_percent / 100 * (double)useful->total_ns;
	it->sequential_grade = useful->grade;
}

static void add_efficiency(struct scaling_run *it, const struct run *run)
{
	if (it->scale.kind == SCALE_MPI || run->mpi.ranks.count) {
		const struct mpi_efficiency *efficiency = &run->mpi.efficiency;

		it->useful_ns = efficiency->average_useful_ns * (double)efficiency->units;
		it->parallel = efficiency->parallel;
		/* there are two or more ranks in a job */
		set_sequential(it, run->process_count == 1 ? &run->useful : &run->mpi.useful);
	} else if (run->omp.is_used) {
		it->useful_ns = run->omp.totals.useful_ns;
		it->parallel = run->omp.efficiency.parallel;
		it->sequential_ns = run->omp.totals.serial_ns / fmax(1, run->omp.totals.masters);
		it->sequential_grade = GRADE_EXACT;
	} else {
		it->useful_ns = scaling_working_ns(run);
		it->parallel = it->useful_ns / (it->scale.p * it->elapsed_ns);
		if (run->process_count == 1)
			set_sequential(it, &run->useful);
	}
}

struct scaling_run scaling_run_of(const struct run *run, double given_p)
{
	struct scaling_run it = {
		.directory = memory_copy_text(run->files->directory),
		.program = program_of(run),
		.scale = scaling_scale_of(run),
		.elapsed_ns = scaling_elapsed_ns(run),
		.sequential_ns = NAN,
		.sequential_grade = GRADE_UNKNOWN,
		.are_ranks = run->mpi.ranks.count == run->mpi.efficiency.units,
		.ready_ns = (double)run->ready_ns,
		.per = run->units.per,
		.requests = (double)(run->units.per ? run->units.count : run->requests.answered),
		.processors = run->processors,
		.is_complete = run->is_complete,
		.counters = counters_of(run),
	};

	if (given_p > 0) {
		it.scale.kind = SCALE_GIVEN;
		it.scale.p = given_p;
	}
	add_efficiency(&it, run);
	it.costs = scaling_costs_of(run, it.scale.p, it.scale.p * it.elapsed_ns, it.scale.alone_ns);
	return it;
}

void scaling_run_clear(struct scaling_run *run)
{
	free(run->directory);
	free(run->program);
	scaling_costs_clear(&run->costs);
}
