/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_maps.h"

#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/process/process.h"
#include "analyze/model/run/run.h"

#include <math.h>

/* Larger ones need fewer faults. */
#define PAGE_BYTES 4096

double finding_repeated_faults(const struct process *process)
{
	double pages = (double)process->memory_peak_bytes / PAGE_BYTES;

	return pages > 0 ? fmax(0, (double)process->minor_faults - pages) : 0;
}

double finding_fault_ns(double faults, double system_ns, double calls_ns)
{
	return fmin(finding_limits.page_fault * faults, fmax(0, system_ns - calls_ns));
}

static bool is_map_call(const char *name)
{
	static const char *const names[] = {"mmap",    "mmap64", "munmap", "mremap",
					    "madvise", "brk",    "sbrk",   "mprotect"};

	return finding_is_named(name, names, sizeof names / sizeof *names);
}

static void add_faults(struct finding_maps *maps, const struct run *run)
{
	double system_ns = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		maps->faults += finding_repeated_faults(&run->processes[i]);
		system_ns += (double)run->processes[i].sum.system_ns;
	}
	maps->fault_ns = finding_fault_ns(maps->faults, system_ns, maps->calls.cpu_ns);
}

/* The lock is held for as long as a call takes; a thread that was blocked for long was blocked for
 * something else. */
static double short_blocks_ns(const struct thread_time *time, unsigned causes)
{
	double switches = time->thread ? (double)time->thread->voluntary_switches : 0;

	return fmin(finding_blocked_ns(time, causes), finding_limits.map_wait * switches);
}

/* A process has the lock for itself if only one of its threads works. */
static double blocked_ns(const struct run *run)
{
	double ns = 0;

	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].thread_count > 1)
			ns += finding_working_ns(&run->processes[i], short_blocks_ns,
						 FINDING_CAUSE(OTHER));
	return ns;
}

struct finding_maps finding_maps_of(const struct run *run)
{
	struct finding_maps maps = {.calls = finding_called_of(run, is_map_call)};

	if (maps.calls.samples < finding_limits.map_samples) {
		finding_callers_clear(&maps.calls.users);
		return (struct finding_maps){0};
	}
	add_faults(&maps, run);
	/* without the waits, calls and faults would be a part of the CPU time, too */
	if (maps.calls.cpu_ns + maps.fault_ns >= finding_limits.part * (double)run->cpu_ns)
		maps.blocked_ns = blocked_ns(run);
	return maps;
}

double finding_maps_blocked_ns(const struct run *run)
{
	struct finding_maps maps = finding_maps_of(run);

	finding_callers_clear(&maps.calls.users);
	return maps.blocked_ns;
}
