/* SPDX-License-Identifier: MIT */
/* pprof: a sample for each thread and call path with its CPU time, and one for each wait with the
 * name of what was waited for, below the code that waited. Counted events have samples of their
 * own, as the profile has them; readers add up those with the same call path and labels.
 *
 * For a merged run, whose threads are summed up, the samples are the nodes of its calling-context
 * tree and have no labels but the lock. */
#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/export/export.h"
#include "analyze/export/export_events.h"
#include "analyze/export/pprof_writer.h"
#include "analyze/model/common/call_stack.h"
#include "analyze/model/paths/path_waits.h"

#include <stdlib.h>
#include <string.h>

struct pprof {
	const struct export *export;
	struct pprof_writer *writer;
	const struct process *process; /* at hand */
	struct call_stack stack;
	struct frame *frames; /* of a wait */
	size_t frame_capacity;
	uint64_t period_ns;
	struct export_events events;
	struct pprof_type *types; /* of the events */
	uint64_t *counts;         /* of one sample, by event */
};

static struct pprof_labels labels_of(const struct pprof *pprof, const struct profile *profile,
				     size_t thread)
{
	const struct process *process = pprof->process;
	const struct profile_thread *row = &profile->threads.rows[thread];
	struct pprof_labels labels = {
		.texts = {[PPROF_THREAD] = row->name && *row->name ? row->name : NULL,
			  [PPROF_PROCESS] = process->file->process.command},
		.numbers = {[PPROF_TID] = row->tid,
			    [PPROF_PID] = process->file->header.pid,
			    [PPROF_RANK] = process->rank},
		.has_number = {[PPROF_TID] = row->tid != 0,
			       [PPROF_PID] = true,
			       [PPROF_RANK] = process->rank != MPI_NO_RANK},
	};

	return labels;
}

/* ---- CPU time */

static void write_special(struct pprof *pprof, const char *name, const struct pprof_labels *labels,
			  const uint64_t values[PPROF_VALUES], const uint64_t *more)
{
	struct frame frame = {.routine = names_special(pprof->export->run->names, name)};

	pprof_writer_sample(pprof->writer, &frame, 1, labels, values, more);
}

static void write_path(struct pprof *pprof, const struct profile *profile, size_t callpath,
		       const struct pprof_labels *labels, const uint64_t values[PPROF_VALUES],
		       const uint64_t *more)
{
	struct call_stack *stack = &pprof->stack;

	call_stack_read(stack, pprof->export->run->names, profile, callpath);
	if (stack->count)
		pprof_writer_sample(pprof->writer, stack->frames, stack->count, labels, values,
				    more);
	else
		write_special(pprof, "[other]", labels, values, more);
}

static void write_sample(struct pprof *pprof, const struct profile *profile,
			 const struct profile_sample *sample, const struct sample_share *share)
{
	struct pprof_labels labels = labels_of(pprof, profile, sample->thread);
	uint64_t values[PPROF_VALUES] = {
		[PPROF_SAMPLES] = sample->count,
		[PPROF_CPU] = sample->cpu_ns,
		[PPROF_ALONE] = share->alone_ns,
		[PPROF_ELAPSED] = share->elapsed_ns,
	};

	write_path(pprof, profile, sample->callpath, &labels, values, NULL);
}

/* A thread's part of what is known of all threads together; the last one gets the remainder. */
static uint64_t part_of(uint64_t *left_ns, uint64_t cpu_ns, uint64_t left_cpu_ns)
{
	uint64_t part_ns =
		cpu_ns < left_cpu_ns
			? number_of_real((double)*left_ns * (double)cpu_ns / (double)left_cpu_ns)
			: *left_ns;

	part_ns = part_ns < *left_ns ? part_ns : *left_ns;
	*left_ns -= part_ns;
	return part_ns;
}

static void write_rest(struct pprof *pprof, const struct profile *profile, size_t thread,
		       uint64_t cpu_ns, struct sample_share *left, uint64_t left_cpu_ns)
{
	struct pprof_labels labels = labels_of(pprof, profile, thread);
	uint64_t values[PPROF_VALUES] = {
		[PPROF_CPU] = cpu_ns,
		[PPROF_ALONE] = part_of(&left->alone_ns, cpu_ns, left_cpu_ns),
		[PPROF_ELAPSED] = part_of(&left->elapsed_ns, cpu_ns, left_cpu_ns),
	};

	write_special(pprof, "[unsampled]", &labels, values, NULL);
}

/* What a thread used beyond what its samples claim, as in the routines. */
static void write_unsampled(struct pprof *pprof, const struct profile *profile,
			    const struct sample_share *share)
{
	uint64_t *unclaimed = sample_unclaimed_by_thread(profile, NULL);
	uint64_t left_cpu_ns = sample_unclaimed_ns(profile);
	struct sample_share left = *share;

	for (size_t thread = 0; thread < profile->threads.count; thread++) {
		if (!unclaimed[thread])
			continue;
		write_rest(pprof, profile, thread, unclaimed[thread], &left, left_cpu_ns);
		left_cpu_ns -= unclaimed[thread];
	}
	free(unclaimed);
	if (left.elapsed_ns) /* some thread ran, and no clock says which */
		write_rest(pprof, profile, 0, 0, &left, 0);
}

static void write_samples(struct pprof *pprof, const struct profile *profile,
			  const struct process *process)
{
	struct sample_shares shares =
		process_sample_shares(process, profile, pprof->export->run->names);

	for (size_t i = 0; i < profile->samples.count; i++)
		write_sample(pprof, profile, &profile->samples.rows[i], &shares.samples[i]);
	write_unsampled(pprof, profile, &shares.rest);
	sample_shares_clear(&shares);
}

/* ---- waits */

/* "[mutex queue_lock]" -> "mutex queue_lock"; released by the caller. */
static char *lock_name(const char *name)
{
	size_t length = strlen(name);

	return memory_print("%.*s", (int)(length > 2 ? length - 2 : 0), name + (length > 0));
}

static size_t push_frame(struct pprof *pprof, size_t count, struct frame frame)
{
	pprof->frames =
		memory_grow(pprof->frames, count, &pprof->frame_capacity, sizeof *pprof->frames);
	pprof->frames[count] = frame;
	return count + 1;
}

/* The wait itself, then the frames known below the call path (innermost first), then the path. */
static size_t wait_frames(struct pprof *pprof, const struct profile *profile,
			  const struct path_wait *wait)
{
	struct names *names = pprof->export->run->names;
	size_t count =
		push_frame(pprof, 0, (struct frame){.routine = names_special(names, wait->name)});

	call_stack_read(&pprof->stack, names, profile, wait->callpath);
	for (size_t i = wait->frame_count; i--;)
		count = push_frame(pprof, count, wait->frames[i]);
	for (size_t i = 0; i < pprof->stack.count; i++)
		count = push_frame(pprof, count, pprof->stack.frames[i]);
	if (count == 1)
		count = push_frame(pprof, count,
				   (struct frame){.routine = names_special(names, "[other]")});
	return count;
}

static void write_wait(void *data, const struct profile *profile, const struct path_wait *wait)
{
	struct pprof *pprof = data;
	struct pprof_labels labels = labels_of(pprof, profile, wait->thread);
	uint64_t values[PPROF_VALUES] = {[PPROF_WAITS] = wait->count, [PPROF_WAIT] = wait->time_ns};
	char *lock = lock_name(wait->name);
	size_t count = wait_frames(pprof, profile, wait);

	labels.texts[PPROF_LOCK] = lock;
	pprof_writer_sample(pprof->writer, pprof->frames, count, &labels, values, NULL);
	free(lock);
}

/* ---- counted events */

struct hearing {
	struct pprof *pprof;
	const struct profile *profile;
};

/* What no sample has is the process's: it cannot be told of which thread. */
static void write_count(void *data, const char *event, const struct profile_event_sample *sample,
			const struct counter_sum *sum)
{
	static const uint64_t nothing[PPROF_VALUES];
	const struct hearing *hearing = data;
	struct pprof *pprof = hearing->pprof;
	struct pprof_labels labels =
		labels_of(pprof, hearing->profile, sample ? sample->thread : 0);
	size_t number = export_events_find(&pprof->events, event);

	if (number == pprof->events.count)
		return;
	pprof->counts[number] = export_events_round(&pprof->events.rows[number], sum->scaled);
	if (sample)
		write_path(pprof, hearing->profile, sample->callpath, &labels, nothing,
			   pprof->counts);
	else
		write_special(pprof, "[unsampled]", &labels, nothing, pprof->counts);
	pprof->counts[number] = 0;
}

static void write_counts(struct pprof *pprof, const struct profile *profile,
			 const struct process *process)
{
	struct hearing hearing = {pprof, profile};
	const struct counters_listener listener = {write_count, &hearing};
	struct counters_accumulator *accumulator =
		counters_accumulator_create(pprof->export->run->names);

	counters_accumulator_add(accumulator, profile, process, false, &listener);
	struct counters counters = counters_accumulator_finish(accumulator, 0);

	counters_clear(&counters);
}

/* The program first: readers take the first mapping for the main one. */
static void write_modules(struct pprof *pprof, const struct profile *profile)
{
	for (int is_rest = 0; is_rest < 2; is_rest++)
		for (size_t i = 1; i < profile->modules.count; i++) {
			const struct profile_module *module = &profile->modules.rows[i];
			bool is_program = !strcmp(module->path, profile->process.executable);

			if (*module->path && is_program != is_rest)
				pprof_writer_module(pprof->writer, module->path, module->build_id);
		}
}

static void write_profile(void *data, const struct profile *profile, const struct process *process)
{
	struct pprof *pprof = data;

	pprof->process = process;
	if (profile->process.sample_period_ns > pprof->period_ns)
		pprof->period_ns = profile->process.sample_period_ns;
	write_modules(pprof, profile);
	write_samples(pprof, profile, process);
	path_waits_read(pprof->export->run->names, profile, process, write_wait, pprof);
	if (pprof->events.count)
		write_counts(pprof, profile, process);
}

/* ---- merged runs */

static void write_node(struct pprof *pprof, size_t number, const uint64_t *counts)
{
	const struct path_node *nodes = pprof->export->run->paths.nodes, *node = &nodes[number];
	const struct path_figures *self = &node->self;
	uint64_t values[PPROF_VALUES] = {
		[PPROF_SAMPLES] = self->samples, [PPROF_CPU] = self->cpu_ns,
		[PPROF_ALONE] = self->alone_ns,  [PPROF_WAITS] = self->waits,
		[PPROF_WAIT] = self->wait_ns,    [PPROF_ELAPSED] = self->elapsed_ns,
	};
	struct pprof_labels labels = {{NULL}, {0}, {false}};
	char *lock =
		node->kind == PATH_WAIT
			? lock_name(names_routine(pprof->export->run->names, node->routine)->name)
			: NULL;
	size_t count = 0;

	labels.texts[PPROF_LOCK] = lock;
	for (size_t at = number; at; at = nodes[at].parent)
		count = push_frame(
			pprof, count,
			(struct frame){.routine = nodes[at].routine, .line = nodes[at].line});
	pprof_writer_sample(pprof->writer, pprof->frames, count, &labels, values, counts);
	free(lock);
}

static bool is_empty(const struct pprof *pprof, const struct path_figures *figures,
		     const uint64_t *counts)
{
	for (size_t i = 0; i < pprof->events.count; i++)
		if (counts[i])
			return false;
	return !figures->cpu_ns && !figures->elapsed_ns && !figures->wait_ns && !figures->samples &&
	       !figures->waits;
}

static void write_tree(struct pprof *pprof)
{
	const struct path_tree *tree = &pprof->export->run->paths;
	uint64_t *counts = export_events_by_node(&pprof->events, tree);

	for (size_t i = 1; i < tree->count; i++) {
		const uint64_t *own = counts + i * pprof->events.count;

		if (!is_empty(pprof, &tree->nodes[i].self, own))
			write_node(pprof, i, own);
	}
	free(counts);
	pprof_writer_comment(pprof->writer,
			     "a merged run: threads, processes and ranks are summed up");
}

/* ---- the whole */

static void start(struct pprof *pprof)
{
	const struct export *export = pprof->export;
	size_t event = 0;
	char *missing;

	pprof->events = export_events_of(export->run);
	pprof->types = memory_allocate(pprof->events.count, sizeof *pprof->types);
	pprof->counts = memory_allocate(pprof->events.count, sizeof *pprof->counts);
	for (size_t i = 0; i < pprof->events.count; i++) {
		const struct counter *counter = pprof->events.rows[i].counter;

		pprof->types[i] = (struct pprof_type){
			counter->name, strcmp(counter->unit, "ns") ? counter->unit : "nanoseconds"};
	}
	pprof->writer = pprof_writer_create(export->out, export->run->names, pprof->types,
					    pprof->events.count);
	pprof_writer_comment(pprof->writer, export->run->command);
	while ((missing = export_events_missing(export->run, &event))) {
		pprof_writer_comment(pprof->writer, missing);
		free(missing);
	}
}

void export_pprof(struct export *export)
{
	const struct run *run = export->run;
	struct pprof pprof = {.export = export};

	start(&pprof);
	if (export->files->merged_count)
		write_tree(&pprof);
	else
		export_profiles(export, write_profile, &pprof);
	pprof_writer_finish(pprof.writer, export->files->processes[0].header.start_realtime_ns,
			    run->elapsed_ns, pprof.period_ns);
	call_stack_clear(&pprof.stack);
	free(pprof.frames);
	free(pprof.types);
	free(pprof.counts);
	export_events_clear(&pprof.events);
}
