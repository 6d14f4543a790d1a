/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/time/routine_time.h"

#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/model/common/call_stack.h"
#include "analyze/model/process/process.h"
#include "analyze/model/threads/thread_role.h"
#include "analyze/model/time/routine_time_parts.h"

#include <math.h>
#include <stdlib.h>

static void touch(struct unit *unit, struct accumulators *accumulators, size_t routine, size_t way)
{
	if (accumulators->unit[way] == unit->number)
		return;
	accumulators->unit[way] = unit->number;
	unit->touched = memory_grow(unit->touched, unit->touched_count, &unit->touched_capacity,
				    sizeof *unit->touched);
	unit->touched[unit->touched_count++] = routine;
}

struct accumulators *routine_accumulators_of(struct routine_accumulator *accumulator,
					     size_t routine)
{
	while (routine >= accumulator->routine_limit)
		accumulator->routines =
			memory_grow(accumulator->routines, accumulator->routine_limit,
				    &accumulator->routine_limit, sizeof *accumulator->routines);
	accumulator->routines[routine].is_used = true;
	accumulator->routines[routine].routine = routine;
	return &accumulator->routines[routine];
}

static struct accumulators *find_accumulators(struct routine_accumulator *accumulator,
					      size_t routine)
{
	struct accumulators *accumulators = routine_accumulators_of(accumulator, routine);

	for (size_t way = 0; way < WAYS; way++)
		touch(&accumulator->units[way], accumulators, routine, way);
	return accumulators;
}

static void charge(struct measure *measure, const struct profile_sample *sample,
		   const struct sample_share *share, uint64_t serial_ns)
{
	measure->time_ns += sample->cpu_ns;
	measure->serial_ns += serial_ns;
	sample_share_add(&measure->share, share);
	for (size_t way = 0; way < WAYS; way++)
		measure->by[way].unit_ns += sample->cpu_ns;
}

static void charge_frame(struct routine_accumulator *accumulator, const struct frame *frame,
			 const struct profile_sample *sample, const struct sample_share *share,
			 bool is_innermost)
{
	struct accumulators *accumulators = find_accumulators(accumulator, frame->routine);

	if (is_innermost) {
		charge(&accumulators->self, sample, share, accumulator->serial_ns);
		accumulators->samples += sample->count;
		accumulators->mpi_ns += accumulator->is_of_mpi ? sample->cpu_ns : 0;
		line_table_add_self(accumulator->lines, frame, sample, share);
	}
	line_table_add_total(accumulator->lines, frame, sample, accumulator->sample);
	accumulators->caller_line = frame->line;
	accumulators->caller_process = accumulator->process;
	if (accumulators->seen_in == accumulator->sample)
		return;
	accumulators->seen_in = accumulator->sample;
	charge(&accumulators->total, sample, share, accumulator->serial_ns);
}

/* Charged to the innermost routine of the user's code: the load of std::atomic is inlined into the
 * loop. */
static void charge_waiting(struct routine_accumulator *accumulator, uint64_t cpu_ns)
{
	const struct call_stack *stack = &accumulator->stack;

	for (size_t i = 0; i < stack->count; i++) {
		const struct frame *frame = &stack->frames[i];
		struct accumulators *accumulators;

		if (names_routine(accumulator->names, frame->routine)->is_runtime)
			continue;
		accumulators = routine_accumulators_of(accumulator, frame->routine);
		accumulators->waiting_ns += cpu_ns;
		if (frame->line > accumulators->waiting_line)
			accumulators->waiting_line = frame->line;
		return;
	}
}

/* Did an MPI library call the innermost routine? What a library below it calls back is the
 * program's: programs use libevent as well. */
static bool is_of_mpi(const struct names *names, const struct call_stack *stack)
{
	for (size_t i = 0; i < stack->count; i++) {
		const struct routine *routine = names_routine(names, stack->frames[i].routine);

		if (routine->is_mpi || !routine->is_runtime)
			return routine->is_mpi;
	}
	return false;
}

static void charge_sample(struct routine_accumulator *accumulator, const struct profile *profile,
			  const struct profile_sample *sample, const struct sample_share *share,
			  bool is_master)
{
	struct call_stack *stack = &accumulator->stack;

	accumulator->sample++;
	call_stack_read(stack, accumulator->names, profile, sample->callpath);
	accumulator->serial_ns = is_master && !stack->is_parallel ? sample->cpu_ns : 0;
	accumulator->is_of_mpi = is_of_mpi(accumulator->names, stack);
	for (size_t i = 0; i < stack->count; i++)
		charge_frame(accumulator, &stack->frames[i], sample, share, !i);
	if (names_is_waiting(accumulator->names, profile, sample->callpath))
		charge_waiting(accumulator, sample->cpu_ns);
	if (!stack->count) { /* no call path: the table was full */
		struct frame other = {.routine = names_special(accumulator->names, "[other]")};

		charge_frame(accumulator, &other, sample, share, true);
	}
}

void routine_accumulator_add_blocked(struct routine_accumulator *accumulator,
				     const struct frame *frames, size_t count, uint64_t ns)
{
	accumulator->sample++;
	for (size_t i = 0; i < count; i++) {
		struct accumulators *accumulators =
			routine_accumulators_of(accumulator, frames[i].routine);

		if (!i)
			accumulators->self.blocked_ns += ns;
		if (frames[i].line > accumulators->blocked_line)
			accumulators->blocked_line = frames[i].line;
		if (accumulators->seen_in == accumulator->sample)
			continue;
		accumulators->seen_in = accumulator->sample;
		accumulators->total.blocked_ns += ns;
	}
}

void routine_accumulator_lack_blocked(struct routine_accumulator *accumulator)
{
	accumulator->lacks_blocked = true;
}

static void charge_rest(struct routine_accumulator *accumulator, uint64_t rest_ns)
{
	static const struct sample_share later = {0, 0, 0};
	struct profile_sample rest = {.cpu_ns = rest_ns};
	struct frame unsampled = {.routine = names_special(accumulator->names, "[unsampled]")};

	accumulator->sample++;
	accumulator->serial_ns = 0;
	accumulator->is_of_mpi = false;
	if (rest_ns)
		charge_frame(accumulator, &unsampled, &rest, &later, true);
}

/* For all threads of the process together; their own times have been charged. */
static void share_rest(struct routine_accumulator *accumulator, const struct sample_share *share)
{
	if (!share->active_ns && !share->elapsed_ns)
		return;
	struct frame unsampled = {.routine = names_special(accumulator->names, "[unsampled]")};
	struct accumulators *accumulators = routine_accumulators_of(accumulator, unsampled.routine);

	sample_share_add(&accumulators->self.share, share);
	line_table_add_share(accumulator->lines, &unsampled, share);
	sample_share_add(&accumulators->total.share, share);
}

/* ---- threads that start OpenMP teams */

/* By thread. Released by the caller. */
static bool *masters_of(const struct profile *profile)
{
	bool *is_master = memory_allocate(profile->threads.count + 1, sizeof *is_master);

	for (size_t i = 0; i < profile->omp_executions.count; i++)
		is_master[profile->omp_executions.rows[i].thread] = true;
	for (size_t i = 0; i < profile->omp_threads.count; i++)
		if (profile->omp_threads.rows[i].region_since_ns)
			is_master[profile->omp_threads.rows[i].thread] = true;
	for (size_t i = 0; i < profile->threads.count; i++)
		if (profile->threads.rows[i].flags & THREAD_OF_OPENMP)
			is_master[i] = false;
	return is_master;
}

/* ---- spread over threads or processes */

/* Ends a thread or process: what its routines took is one value of their distributions. thread:
 * NULL where processes are compared. name: the one that is shown. */
static void close_unit(struct routine_accumulator *accumulator, const struct process *process,
		       const struct profile_thread *thread, const char *name)
{
	size_t way = thread ? BY_THREAD : BY_PROCESS;
	struct unit *unit = &accumulator->units[way];
	struct spread_unit at = {
		.process = process->index,
		.tid = thread ? thread->tid : 0,
		.name = thread && unit->touched_count ? names_keep(accumulator->names, name) : NULL,
	};

	for (size_t i = 0; i < unit->touched_count; i++) {
		struct accumulators *accumulators = &accumulator->routines[unit->touched[i]];

		distribution_close(&accumulators->self.by[way], &at);
		distribution_close(&accumulators->total.by[way], &at);
	}
	unit->touched_count = 0;
	unit->number++;
	line_table_close_unit(accumulator->lines, way, &at);
}

void routine_accumulator_add(struct routine_accumulator *accumulator, const struct profile *profile,
			     const struct process *process, const struct sample_shares *shares)
{
	size_t sample = 0, count = profile->samples.count;
	uint64_t excess_ns, *unclaimed = sample_unclaimed_by_thread(profile, &excess_ns);
	bool *is_master = masters_of(profile);

	accumulator->process = process->index + 1;
	accumulator->excess_ns += excess_ns;
	for (size_t thread = 0; thread < profile->threads.count; thread++) {
		const struct profile_thread *row = &profile->threads.rows[thread];

		for (; sample < count && profile->samples.rows[sample].thread == thread; sample++)
			charge_sample(accumulator, profile, &profile->samples.rows[sample],
				      &shares->samples[sample], is_master[thread]);
		charge_rest(accumulator, unclaimed[thread]);
		close_unit(accumulator, process, row,
			   thread_shown_name(accumulator->names, profile, thread));
	}
	close_unit(accumulator, process, NULL, NULL);
	share_rest(accumulator, &shares->rest);
	free(unclaimed);
	free(is_master);
}

/* ---- rows */

/* Both are rounded separately: of a few microseconds the first may be a nanosecond too small. */
static double average_of(const struct sample_share *share)
{
	return share->elapsed_ns ? fmax(1, (double)share->active_ns / (double)share->elapsed_ns)
				 : NAN;
}

static struct routine_time make_row(const struct routine_accumulator *all, size_t routine,
				    size_t way)
{
	const struct accumulators *accumulators = &all->routines[routine];
	bool is_by_total = !accumulators->self.time_ns;
	const struct measure *basis = is_by_total ? &accumulators->total : &accumulators->self;
	struct routine_time row = {
		.routine = routine,
		.line = accumulators->caller_line ? accumulators->caller_line
						  : accumulators->blocked_line,
		.samples = accumulators->samples,
		.self_ns = accumulators->self.time_ns,
		.waiting_ns = accumulators->waiting_ns,
		.waiting_line = accumulators->waiting_line,
		.mpi_ns = accumulators->mpi_ns,
		.total_ns = accumulators->total.time_ns,
		.serial_ns = accumulators->self.serial_ns,
		.total_serial_ns = accumulators->total.serial_ns,
		.elapsed_ns = accumulators->self.share.elapsed_ns,
		.alone_ns = accumulators->self.share.alone_ns,
		.total_elapsed_ns = accumulators->total.share.elapsed_ns,
		.total_alone_ns = accumulators->total.share.alone_ns,
		.is_share_known = accumulators->total.share.active_ns > 0,
		.blocked_ns = accumulators->self.blocked_ns,
		.total_blocked_ns = accumulators->total.blocked_ns,
		.is_blocked_known = !all->lacks_blocked,
		.average_concurrency = average_of(&basis->share),
		.is_by_total = is_by_total,
		.spread = distribution_spread(&basis->by[way]),
		.total_spread = distribution_spread(&accumulators->total.by[way]),
		.by_process = distribution_spread(&accumulators->self.by[BY_PROCESS]),
	};

	return row;
}

static int compare_rows(const void *left, const void *right, void *names)
{
	const struct routine_time *a = left, *b = right;

	if (a->self_ns != b->self_ns)
		return a->self_ns > b->self_ns ? -1 : 1;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return names_compare(names, a->routine, b->routine);
}

/* The line with the most self time takes the place of that of a call. The lines are in that order.
 */
static void find_hottest_lines(struct routine_accumulator *accumulator,
			       const struct line_times *lines)
{
	for (size_t i = lines->count; i--;)
		if (lines->rows[i].self_ns)
			routine_accumulators_of(accumulator, lines->rows[i].routine)->caller_line =
				lines->rows[i].line;
}

static struct routine_times make_rows(struct routine_accumulator *accumulator)
{
	size_t way = accumulator->by_process ? BY_PROCESS : BY_THREAD;
	struct routine_times times = {
		.rows = memory_allocate(accumulator->routine_limit, sizeof *times.rows)};

	times.lines = line_table_finish(accumulator->lines, accumulator->names, way);
	find_hottest_lines(accumulator, &times.lines);
	for (size_t i = 0; i < accumulator->routine_limit; i++)
		if (accumulator->routines[i].is_used)
			times.rows[times.count++] = make_row(accumulator, i, way);
	if (times.count)
		qsort_r(times.rows, times.count, sizeof *times.rows, compare_rows,
			accumulator->names);
	return times;
}

struct routine_accumulator *routine_accumulator_create(struct names *names, bool by_process)
{
	struct routine_accumulator *accumulator = memory_allocate(1, sizeof *accumulator);

	accumulator->names = names;
	accumulator->by_process = by_process;
	accumulator->lines = line_table_create();
	for (size_t way = 0; way < WAYS; way++)
		accumulator->units[way].number = 1; /* 0 marks what was never charged */
	return accumulator;
}

struct routine_times routine_accumulator_finish(struct routine_accumulator *accumulator)
{
	struct routine_times times = make_rows(accumulator);

	times.excess_ns = accumulator->excess_ns;
	free(accumulator->routines);
	call_stack_clear(&accumulator->stack);
	for (size_t way = 0; way < WAYS; way++)
		free(accumulator->units[way].touched);
	free(accumulator);
	return times;
}

void routine_times_clear(struct routine_times *times)
{
	free(times->rows);
	times->rows = NULL;
	line_times_clear(&times->lines);
}
