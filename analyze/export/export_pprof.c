/* SPDX-License-Identifier: MIT */
/* pprof: a sample for each thread and call path with its CPU time, and one for each wait with the
 * name of what was waited for, below the code that waited.
 *
 * For a merged run, whose threads are summed up, the samples are the nodes of its calling-context
 * tree and have no labels but the lock. */
#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/export/export.h"
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
			  const uint64_t values[PPROF_VALUES])
{
	struct frame frame = {.routine = names_special(pprof->export->run->names, name)};

	pprof_writer_sample(pprof->writer, &frame, 1, labels, values);
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

	call_stack_read(&pprof->stack, pprof->export->run->names, profile, sample->callpath);
	if (pprof->stack.count)
		pprof_writer_sample(pprof->writer, pprof->stack.frames, pprof->stack.count, &labels,
				    values);
	else
		write_special(pprof, "[other]", &labels, values);
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

	write_special(pprof, "[unsampled]", &labels, values);
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
	pprof_writer_sample(pprof->writer, pprof->frames, count, &labels, values);
	free(lock);
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
}

/* ---- merged runs */

static void write_node(struct pprof *pprof, size_t number)
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
	pprof_writer_sample(pprof->writer, pprof->frames, count, &labels, values);
	free(lock);
}

static bool is_empty(const struct path_figures *figures)
{
	return !figures->cpu_ns && !figures->elapsed_ns && !figures->wait_ns && !figures->samples &&
	       !figures->waits;
}

static void write_tree(struct pprof *pprof)
{
	const struct path_tree *tree = &pprof->export->run->paths;

	for (size_t i = 1; i < tree->count; i++)
		if (!is_empty(&tree->nodes[i].self))
			write_node(pprof, i);
	pprof_writer_comment(pprof->writer,
			     "a merged run: threads, processes and ranks are summed up");
}

void export_pprof(struct export *export)
{
	const struct run *run = export->run;
	struct pprof pprof = {
		.export = export,
		.writer = pprof_writer_create(export->out, run->names),
	};

	pprof_writer_comment(pprof.writer, run->command);
	if (export->files->merged_count)
		write_tree(&pprof);
	else
		export_profiles(export, write_profile, &pprof);
	pprof_writer_finish(pprof.writer, export->files->processes[0].header.start_realtime_ns,
			    run->elapsed_ns, pprof.period_ns);
	call_stack_clear(&pprof.stack);
	free(pprof.frames);
}
