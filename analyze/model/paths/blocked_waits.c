/* SPDX-License-Identifier: MIT */
#include "analyze/model/paths/blocked_waits.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/common/call_stack.h"
#include "analyze/model/paths/path_waits.h"
#include "analyze/model/process/process.h"

#include <stdlib.h>

enum wait_kind {
	WAIT_CALL,    /* its path is that of the call that waits */
	WAIT_POOLED,  /* in an OpenMP runtime: a path of samples does not tell which wait it is */
	WAIT_NOWHERE, /* a worker of OpenMP outside of bodies */
};

/* Waits of one path. inner: routines + 1 inward of the call path, innermost first; 0: none. */
struct wait_group {
	size_t thread, cause, callpath, inner[2], kind; /* the key */
	uint64_t wait_ns, cpu_ns;
};

struct reading {
	struct names *names;
	const struct profile *profile;
	struct keyed_table *groups;
	uint64_t *rest_ns; /* by thread and cause: CPU time of samples in no known wait */
};

static uint64_t without(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

static uint64_t share_of(uint64_t sum, uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((unsigned __int128)sum * part / whole) : 0;
}

static void add(struct reading *reading, const struct wait_group *key, uint64_t wait_ns)
{
	struct wait_group *group = keyed_table_enter(reading->groups, key, NULL);

	group->wait_ns += wait_ns;
}

static struct wait_group *group_at(const struct reading *reading, size_t index)
{
	return keyed_table_row(reading->groups, index);
}

/* ---- waits */

/* Has the thread started that region? */
static bool has_started(const struct profile *profile, size_t thread, size_t region)
{
	for (size_t i = 0; i < profile->omp_executions.count; i++)
		if (profile->omp_executions.rows[i].thread == thread &&
		    profile->omp_executions.rows[i].region == region)
			return true;
	return false;
}

static void add_wait(void *data, const struct profile *profile, const struct path_wait *wait)
{
	struct reading *reading = data;
	struct wait_group key = {
		.thread = wait->thread,
		.cause = wait->cause,
		.callpath = wait->callpath,
		.kind = wait->frame_count ? WAIT_POOLED : WAIT_CALL,
	};

	if (wait->is_of_team)
		return;
	if (wait->frame_count && !has_started(profile, wait->thread, wait->region))
		key.callpath = 0;
	for (size_t i = 0; i < wait->frame_count; i++)
		key.inner[i] = 1 + wait->frames[wait->frame_count - 1 - i].routine;
	add(reading, &key, wait->time_ns);
}

/* ---- waits at the edges of OpenMP regions */

/* Time of a thread in regions that it started, outside of its own body: starting them, and at their
 * closing barriers. */
static uint64_t edges_of(const struct profile *profile, const struct profile_omp_execution *row)
{
	uint64_t elapsed_ns = row->elapsed_ns, body_ns = 0;

	for (size_t i = 0; i < profile->omp_work.count; i++) {
		const struct profile_omp_work *work = &profile->omp_work.rows[i];

		if (work->thread == row->thread && work->region == row->region && !work->member)
			body_ns += work->body_ns;
	}
	/* teams of several sizes: the first row stands for all */
	for (size_t i = 0; i < profile->omp_executions.count; i++) {
		const struct profile_omp_execution *other = &profile->omp_executions.rows[i];

		if (other->thread != row->thread || other->region != row->region || other == row)
			continue;
		if (other < row)
			return 0;
		elapsed_ns += other->elapsed_ns;
	}
	return without(elapsed_ns, body_ns);
}

static void add_outside(struct reading *reading, const struct profile_omp_thread *thread)
{
	const struct profile *profile = reading->profile;
	size_t count = profile->omp_executions.count;
	uint64_t *edges = memory_allocate(count, sizeof *edges), edges_ns = 0;
	uint64_t left_ns = thread->outside_ns, of_edges_ns;
	struct wait_group key = {
		.thread = thread->thread, .cause = CAUSE_OPENMP, .kind = WAIT_POOLED};

	for (size_t i = 0; i < count; i++)
		if (profile->omp_executions.rows[i].thread == thread->thread)
			edges_ns += edges[i] = edges_of(profile, &profile->omp_executions.rows[i]);
	of_edges_ns = left_ns < edges_ns ? left_ns : edges_ns;
	for (size_t i = 0; i < count; i++) {
		uint64_t ns = share_of(of_edges_ns, edges[i], edges_ns);
		size_t region = profile->omp_executions.rows[i].region;

		key.callpath = profile->omp_regions.rows[region].caller;
		if (ns)
			add(reading, &key, ns);
		left_ns -= ns;
	}
	free(edges);
	key.callpath = 0;
	key.kind = WAIT_NOWHERE;
	add(reading, &key, left_ns);
}

/* ---- CPU time in waits */

static void add_sample(struct reading *reading, const struct profile_sample *sample)
{
	struct wait_group probe = {
		.thread = sample->thread, .cause = sample->cause, .kind = WAIT_CALL};
	size_t at = sample->callpath;
	struct wait_group *group = NULL;

	if (sample->cause == CAUSE_OTHER || sample->cause >= CAUSE_LIMIT)
		return;
	for (; at && !group; at = reading->profile->callpaths.rows[at].parent) {
		probe.callpath = at;
		group = keyed_table_find(reading->groups, &probe);
	}
	if (group)
		group->cpu_ns += sample->cpu_ns;
	else
		reading->rest_ns[sample->thread * CAUSE_LIMIT + sample->cause] += sample->cpu_ns;
}

/* What is subtracted from each group goes down with what is left to subtract, so that no nanosecond
 * is lost. */
static void spread_rests(struct reading *reading)
{
	size_t keys = (reading->profile->threads.count + 1) * CAUSE_LIMIT;
	uint64_t *left_ns = memory_allocate(keys, sizeof *left_ns);

	for (size_t i = 0; i < keyed_table_count(reading->groups); i++) {
		struct wait_group *group = group_at(reading, i);

		if (group->cpu_ns > group->wait_ns)
			group->cpu_ns = group->wait_ns;
		left_ns[group->thread * CAUSE_LIMIT + group->cause] +=
			group->wait_ns - group->cpu_ns;
	}
	for (size_t i = 0; i < keys; i++)
		if (reading->rest_ns[i] > left_ns[i])
			reading->rest_ns[i] = left_ns[i];
	for (size_t i = 0; i < keyed_table_count(reading->groups); i++) {
		struct wait_group *group = group_at(reading, i);
		size_t at = group->thread * CAUSE_LIMIT + group->cause;
		uint64_t own_ns = group->wait_ns - group->cpu_ns;
		uint64_t ns = share_of(reading->rest_ns[at], own_ns, left_ns[at]);

		group->cpu_ns += ns;
		reading->rest_ns[at] -= ns;
		left_ns[at] -= own_ns;
	}
	free(left_ns);
}

/* ---- lives */

/* Of each thread: its life without the CPU time that samples claim, its own samples or those of
 * other threads (sample_share.h). */
static uint64_t *rooms_of(const struct profile *profile, const struct process *process)
{
	uint64_t *rooms = memory_allocate(profile->threads.count + 1, sizeof *rooms);
	uint64_t *sampled = memory_allocate(profile->threads.count + 1, sizeof *sampled);
	uint64_t *unclaimed = sample_unclaimed_by_thread(profile, NULL);

	for (size_t i = 0; i < profile->samples.count; i++)
		sampled[profile->samples.rows[i].thread] += profile->samples.rows[i].cpu_ns;
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];
		uint64_t own_ns = sampled[time->index];
		uint64_t claimed_ns = without(thread_time_cpu(time), unclaimed[time->index]);

		rooms[time->index] =
			without(time->lifetime_ns, own_ns > claimed_ns ? own_ns : claimed_ns);
	}
	free(sampled);
	free(unclaimed);
	return rooms;
}

/* Makes the waits of each thread fit into its room: what does not fit is taken for CPU time. */
static void keep_lives(struct reading *reading, const struct process *process)
{
	uint64_t *rooms = rooms_of(reading->profile, process);
	uint64_t *sums = memory_allocate(reading->profile->threads.count + 1, sizeof *sums);

	for (size_t i = 0; i < keyed_table_count(reading->groups); i++) {
		const struct wait_group *group = group_at(reading, i);

		sums[group->thread] += group->wait_ns - group->cpu_ns;
	}
	for (size_t i = 0; i < keyed_table_count(reading->groups); i++) {
		struct wait_group *group = group_at(reading, i);
		uint64_t own_ns = group->wait_ns - group->cpu_ns, sum_ns = sums[group->thread];

		if (sum_ns > rooms[group->thread])
			group->cpu_ns += own_ns - share_of(own_ns, rooms[group->thread], sum_ns);
	}
	free(sums);
	free(rooms);
}

/* ---- telling */

static void push(struct call_stack *stack, struct frame frame)
{
	stack->frames =
		memory_grow(stack->frames, stack->count, &stack->capacity, sizeof *stack->frames);
	stack->frames[stack->count++] = frame;
}

static void read_frames(const struct reading *reading, const struct wait_group *group,
			struct call_stack *stack, struct call_stack *callers)
{
	stack->count = 0;
	for (size_t i = 0; i < 2; i++)
		if (group->inner[i])
			push(stack, (struct frame){.routine = group->inner[i] - 1});
	call_stack_read(callers, reading->names, reading->profile, group->callpath);
	for (size_t i = 0; i < callers->count; i++)
		push(stack, callers->frames[i]);
	if (!stack->count) /* no call path: the table was full */
		push(stack, (struct frame){.routine = names_special(reading->names, "[other]")});
}

static void tell(const struct reading *reading, blocked_wait_visit *visit, void *data)
{
	struct call_stack stack = {0}, callers = {0};

	for (size_t i = 0; i < keyed_table_count(reading->groups); i++) {
		const struct wait_group *group = group_at(reading, i);

		if (group->kind == WAIT_NOWHERE || group->wait_ns == group->cpu_ns)
			continue;
		read_frames(reading, group, &stack, &callers);
		visit(data, stack.frames, stack.count, group->wait_ns - group->cpu_ns);
	}
	call_stack_clear(&stack);
	call_stack_clear(&callers);
}

/* Files of older versions do not tell. */
static bool has_causes(const struct profile *profile)
{
	const struct table *samples = table_file_find(profile->file, "samples");

	return !samples || schema_find_column(samples->schema, "cause");
}

bool blocked_waits_read(struct names *names, const struct profile *profile,
			const struct process *process, blocked_wait_visit *visit, void *data)
{
	struct reading reading = {.names = names, .profile = profile};

	if (!has_causes(profile))
		return false;
	reading.groups =
		keyed_table_create(sizeof(struct wait_group), offsetof(struct wait_group, wait_ns));
	reading.rest_ns = memory_allocate((profile->threads.count + 1) * CAUSE_LIMIT,
					  sizeof *reading.rest_ns);
	path_waits_read(names, profile, process, add_wait, &reading);
	for (size_t i = 0; i < profile->omp_threads.count; i++)
		add_outside(&reading, &profile->omp_threads.rows[i]);
	for (size_t i = 0; i < profile->samples.count; i++)
		add_sample(&reading, &profile->samples.rows[i]);
	spread_rests(&reading);
	keep_lives(&reading, process);
	tell(&reading, visit, data);
	keyed_table_destroy(reading.groups);
	free(reading.rest_ns);
	return true;
}
