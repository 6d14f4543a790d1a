/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_unprofiled.h"

#include "analyze/model/run/run.h"
#include "analyze/model/run/run_others.h"

#include <math.h>

#define MUCH_PART 0.05
#define MUCH_NS   1e7

struct run_unprofiled run_unprofiled_of(const struct run *run)
{
	const struct processors_used *used = run->files ? &run->files->processors : NULL;
	double start_ns = 0;

	if (!used || !used->are_children_known || !run_others_covers(run))
		return (struct run_unprofiled){NAN, NAN};
	double profiled_ns = (double)run->cpu_ns + (double)run->beyond_cpu_ns;
	double cpu_ns = fmax(0, (double)used->children_ns - profiled_ns);

	for (size_t i = 0; i < run->process_count; i++)
		start_ns += (double)run->processes[i].file->process.start_cost_ns;
	/* merged profiles do not have it */
	return (struct run_unprofiled){cpu_ns, start_ns > 0 ? fmin(start_ns, cpu_ns) : NAN};
}

bool run_unprofiled_is_much(const struct run *run, const struct run_unprofiled *unprofiled)
{
	double all_ns = (double)run->cpu_ns + unprofiled->cpu_ns;

	return unprofiled->cpu_ns > MUCH_NS && unprofiled->cpu_ns > MUCH_PART * all_ns;
}
