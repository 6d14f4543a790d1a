/* SPDX-License-Identifier: MIT */
/* The rule on processes that pass work to each other: one of them has a processor for nearly all
 * its life, and sets the pace of the others. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"
#include "analyze/model/run/run_lives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the busy process */

static const struct process *busiest_of(const struct run *run)
{
	const struct process *most = run->processes;

	for (size_t i = 1; i < run->process_count; i++)
		if (run->processes[i].cpu_ns > most->cpu_ns)
			most = &run->processes[i];
	return most;
}

/* One thread that was on a processor for nearly all of the process's life, or wanted to be. If
 * several threads work, the process is not limited by a single processor. */
static bool is_busy(const struct process *process)
{
	double cpu = (double)process->cpu_ns, life = (double)process->elapsed_ns, most = cpu;

	if (!process->threads && process->file->process.threads_started > 1)
		return false;
	for (size_t i = 0; i < process->thread_count && process->threads; i++) {
		double own = (double)thread_time_cpu(&process->threads[i]);

		most = i && most > own ? most : own;
	}
	return cpu <= finding_limits.wanted * most &&
	       most >= finding_limits.pace_busy * (life - (double)process->ready_ns) &&
	       2 * most >= life;
}

/* ---- who waits for it */

static double overlap_ns(const struct life *a, const struct life *b)
{
	return fmax(0, fmin(a->end_ns, b->end_ns) - fmax(a->begin_ns, b->begin_ns));
}

static double life_ns(const struct life *life)
{
	return life->end_ns - life->begin_ns;
}

/* Pipes and sockets; in profiles that do not know these, whatever no wrapper sees. */
#define INPUT_OR_OUTPUT (FINDING_CAUSE(OTHER) | FINDING_ALL_IO)

/* It lived while the busy one did, and was blocked for most of its life in input and output. A
 * shell that waits for the end of others does not count. */
static bool is_waiting(const struct run *run, const struct process *process,
		       const struct process *busy)
{
	const struct life life = lives_of_process(run, process, 1);
	const struct life whole = lives_of_process(run, busy, 1);
	double blocked = finding_blocked_ns(&process->sum, INPUT_OR_OUTPUT);

	return process != busy && 2 * overlap_ns(&life, &whole) >= life_ns(&life) &&
	       2 * overlap_ns(&life, &whole) >= life_ns(&whole) &&
	       2 * blocked >= (double)process->sum.lifetime_ns;
}

struct pace {
	size_t waiting;
	double cpu_ns, blocked_ns; /* of the processes that wait */
	double next_ns; /* CPU time of the busiest of all others, whether it waits or not */
	enum grade grade;
};

static struct pace waiting_of(const struct run *run, const struct process *busy)
{
	struct pace all = {.grade = GRADE_EXACT};

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		if (process != busy)
			all.next_ns = fmax(all.next_ns, (double)process->cpu_ns);
		if (!is_waiting(run, process, busy))
			continue;
		all.waiting++;
		all.cpu_ns += (double)process->cpu_ns;
		all.blocked_ns += finding_blocked_ns(&process->sum, INPUT_OR_OUTPUT);
		all.grade = grade_worse(all.grade, process->sum.blocked_grade);
	}
	return all;
}

/* ---- the rule */

/* Its work, distributed over the processors, leaves the next process as the slowest; and the CPU
 * time of all can never take less than all processors need for it. */
static double stake_ns(const struct run *run, const struct process *busy, const struct pace *all)
{
	double processors = (double)run->processors, own = (double)busy->cpu_ns;
	double left = (double)run->elapsed_ns - (double)run->cpu_ns / processors;

	return fmin(left, fmin(own - all->next_ns, own * (1 - 1 / processors)));
}

/* Is nearly all of the routine's time this process's? */
static bool is_its_routine(const struct routine_time *row, const struct process *busy)
{
	double sum_ns = row->spread.mean_ns * (double)row->spread.count;

	return row->samples && row->spread.max_at.process == busy->index &&
	       row->spread.max_ns >= finding_limits.one_thread * sum_ns;
}

void finding_add_routine_of(struct finding *finding, const struct run *run,
			    const struct process *busy)
{
	const struct routine_time *most = NULL;
	size_t among = 0;

	for (size_t i = 0; i < run->routines.count; i++) {
		const struct routine_time *row = &run->routines.rows[i];

		if (!is_its_routine(row, busy))
			continue;
		among++;
		if (!most || row->self_ns > most->self_ns)
			most = row;
	}
	if (most)
		finding_add_routine(finding, run, most->routine, most->line, (double)most->self_ns,
				    (double)busy->cpu_ns, among);
}

static double cpu_of(const struct thread_time *time, unsigned causes)
{
	(void)causes;
	return (double)thread_time_cpu(time);
}

static void tell(const struct run *run, struct finding *finding, const struct process *busy,
		 const struct pace *all)
{
	const char *command = busy->file->process.command ? busy->file->process.command : "";
	const char *ready =
		(double)busy->ready_ns >= finding_limits.ready_elapsed * (double)busy->elapsed_ns
			? ", but for when others had them all"
			: "";
	double life = (double)busy->elapsed_ns - (double)busy->ready_ns;

	finding->evidence = memory_print(
		"%u (%.*s) was on a processor for %s of its life%s, while %zu other%s waited: "
		"blocked for %s, on a processor for %s",
		busy->file->header.pid, (int)strcspn(command, " "), command,
		quantity_percent(fmin(100, 100 * (double)busy->cpu_ns / life)).text, ready,
		all->waiting, all->waiting == 1 ? "" : "s", quantity_seconds(all->blocked_ns).text,
		quantity_seconds(all->cpu_ns).text);
	finding->grade = all->grade;
	finding_add_threads(finding, run, cpu_of, 0);
	finding_add_routine_of(finding, run, busy);
}

/* NULL: none sets the pace of others. Processes that use hardly any CPU time beside the busy one
 * are no stages of a pipeline. */
static const struct process *pace_of(const struct run *run, struct pace *all)
{
	if (run->process_count < 2 || run->mpi.ranks.count || run->host_count > 1 ||
	    run->processors < 2)
		return NULL;
	const struct process *busy = busiest_of(run);

	*all = waiting_of(run, busy);
	return is_busy(busy) && all->cpu_ns >= finding_limits.pace_others * (double)busy->cpu_ns
		       ? busy
		       : NULL;
}

double judge_pipeline(const struct run *run, struct finding *finding)
{
	struct pace all;
	const struct process *busy = pace_of(run, &all);

	if (!busy || !all.waiting)
		return NAN;
	tell(run, finding, busy, &all);
	return finding_percent(run, fmax(0, stake_ns(run, busy, &all)));
}

double finding_pipeline_blocked_ns(const struct run *run, unsigned causes)
{
	struct pace all;
	const struct process *busy = pace_of(run, &all);
	double ns = 0;

	for (size_t i = 0; busy && i < run->process_count; i++)
		if (is_waiting(run, &run->processes[i], busy))
			ns += finding_blocked_ns(&run->processes[i].sum, causes);
	return ns;
}
