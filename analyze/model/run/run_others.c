/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_others.h"

#include "analyze/model/run/run.h"

#include <math.h>
#include <string.h>

/* counters of idle time, of waiting for a disk, and of stolen time */
#define COUNTERS 3
/* The least share of the time between the readings that the kernel must have counted. */
#define COUNTED_LEAST 0.5

/* Elapsed time of all these processors together. */
static double processors_ns(const struct processors_used *used)
{
	return (double)used->count * (double)(used->end_ns - used->begin_ns);
}

static double error_ns(const struct processors_used *used)
{
	return (double)used->count * (COUNTERS * (double)used->tick_ns + (double)used->within_ns);
}

/* Zero counts, and counts of more time than there was, are not of these processors. */
static bool is_counted(const struct processors_used *used)
{
	double whole = processors_ns(used), error = error_ns(used);
	double off = (double)used->idle_ns + (double)used->steal_ns;

	return off <= whole + error && off + (double)used->busy_ns >= COUNTED_LEAST * whole - error;
}

static bool covers_process(const struct processors_used *used, const struct process *process)
{
	return !strcmp(process->file->process.host, used->host) &&
	       process->file->header.start_ns >= used->begin_ns &&
	       process->life.end_ns <= used->end_ns;
}

bool run_others_covers(const struct run *run)
{
	const struct processors_used *used = &run->files->processors;

	if (!used->is_known || run->host_count != 1 || run->processors > used->count)
		return false;
	for (size_t i = 0; i < run->process_count; i++)
		if (!covers_process(used, &run->processes[i]))
			return false;
	return true;
}

/* The kernel's counts are of a longer time, from before the program's start until ptrace-run had
 * waited for it, and maybe of more processors than it could use in the end. */
struct scaled {
	double ns, error_ns;
};

/* What was counted is taken to be spread evenly. All of it may have been in the run, or as little
 * as the rest of the time had no room for. */
static struct scaled scale(double counted_ns, double counted_of_ns, double run_ns, double most_ns)
{
	double high = fmin(counted_ns, most_ns);
	double low = fmin(fmax(0, counted_ns - (counted_of_ns - run_ns)), high);
	double ns = fmax(low, fmin(high, counted_ns * run_ns / counted_of_ns));

	return (struct scaled){ns, fmax(ns - low, high - ns)};
}

struct run_others run_others_of(const struct run *run)
{
	const struct processors_used *used = run->files ? &run->files->processors : NULL;

	if (!used || !run_others_covers(run) || !is_counted(used))
		return (struct run_others){NAN, NAN, NAN};
	double own = fmax((double)used->own_ns, (double)run->cpu_ns);
	double whole_ns = processors_ns(used);
	double busy = whole_ns - (double)used->idle_ns - (double)used->steal_ns;
	uint64_t processors = run->processors ? run->processors : used->count;
	double run_ns = fmin(whole_ns, (double)processors * (double)run->elapsed_ns);
	double free_ns = fmax(0, run_ns - (double)run->cpu_ns);
	struct scaled others = scale(fmax(0, busy - own), whole_ns, run_ns, free_ns);
	struct scaled stolen = scale((double)used->steal_ns, whole_ns, run_ns, free_ns);

	return (struct run_others){.others_ns = others.ns,
				   .stolen_ns = stolen.ns,
				   .error_ns = error_ns(used) + others.error_ns};
}

double run_others_ns(const struct run *run)
{
	return run_others_of(run).others_ns;
}
