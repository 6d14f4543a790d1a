/* SPDX-License-Identifier: MIT */
/* Rules on memory of the kernel's: asked for and given back again and again, and copied for
 * children. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_maps.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

static char *maps_evidence(const struct run *run, const struct finding_maps *maps)
{
	char *place = finding_callers_place(&maps->calls.users, run);
	char *text = memory_print(
		"%s of CPU time in mmap, munmap and their like, mostly called from %s; about %s in "
		"%.0f page faults at memory that came back, %s blocked",
		quantity_seconds(maps->calls.cpu_ns).text, place,
		quantity_seconds(maps->fault_ns).text, maps->faults,
		quantity_seconds(maps->blocked_ns).text);

	free(place);
	return text;
}

double judge_memory_maps(const struct run *run, struct finding *finding)
{
	struct finding_maps maps = finding_maps_of(run);

	if (!maps.calls.users.count)
		return NAN;
	const struct finding_loss loss = {
		.idle_ns = maps.blocked_ns,
		.work_ns = maps.calls.cpu_ns + maps.fault_ns,
		.longest_ns = fmin(maps.blocked_ns, finding_longest_ns(run, FINDING_CAUSE(OTHER)))};

	finding->evidence = maps_evidence(run, &maps);
	finding->grade = GRADE_ESTIMATED;
	finding_callers_tell(&maps.calls.users, run, finding);
	finding_callers_clear(&maps.calls.users);
	return finding_stake(run, finding, &loss);
}

/* ---- children */

/* libc starts others' programs (system, popen) as posix_spawn does, without a copy. */
static bool is_fork(const char *name)
{
	static const char *const names[] = {"fork", "Fork", "arch_fork", "forkpty", "daemon"};

	return finding_is_named(name, names, sizeof names / sizeof *names);
}

static bool is_parent(const struct run *run, const struct process *process)
{
	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].file->process.parent_pid == process->file->header.pid)
			return true;
	return run->process_count == 1; /* its children left no profile */
}

/* The one with the most memory. */
static const struct process *parent_of(const struct run *run)
{
	const struct process *largest = NULL;

	for (size_t i = 0; i < run->process_count; i++)
		if ((!largest ||
		     run->processes[i].memory_peak_bytes > largest->memory_peak_bytes) &&
		    is_parent(run, &run->processes[i]))
			largest = &run->processes[i];
	return largest;
}

static char *fork_evidence(const struct run *run, const struct finding_called *forks,
			   const struct process *parent, double fault_ns)
{
	char *place = finding_callers_place(&forks->users, run);
	char *text = memory_print(
		"%s of CPU time in %.0f forks, mostly called from %s, where the kernel copies the page "
		"tables of a process of %s; then about %s in %.0f page faults at what parent and "
		"child share",
		quantity_seconds(forks->cpu_ns).text, forks->samples, place,
		quantity_size(parent->memory_peak_bytes).text, quantity_seconds(fault_ns).text,
		finding_repeated_faults(parent));

	free(place);
	return text;
}

double judge_fork_copies(const struct run *run, struct finding *finding)
{
	struct finding_called forks = finding_called_of(run, is_fork);
	bool is_habit = forks.samples >= finding_limits.forks;
	const struct process *parent = is_habit ? parent_of(run) : NULL;

	if (!parent || (double)parent->memory_peak_bytes < finding_limits.fork_memory) {
		finding_callers_clear(&forks.users);
		return NAN;
	}
	double fault_ns = finding_fault_ns(finding_repeated_faults(parent),
					   (double)parent->sum.system_ns, forks.cpu_ns);
	/* a child takes its copy apart before it becomes another program */
	double child_ns = fmin(finding_limits.fork_child * forks.cpu_ns,
			       finding_longest_ns(run, FINDING_CAUSE(PROCESS)));
	const struct finding_loss loss = {.work_ns = forks.cpu_ns + fault_ns,
					  .idle_ns = child_ns,
					  .longest_ns = forks.cpu_ns + fault_ns + child_ns};

	finding->evidence = fork_evidence(run, &forks, parent, fault_ns);
	finding->grade = GRADE_ESTIMATED;
	finding_callers_tell(&forks.users, run, finding);
	finding_callers_clear(&forks.users);
	return finding_stake(run, finding, &loss);
}
