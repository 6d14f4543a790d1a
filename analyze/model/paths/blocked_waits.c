/* SPDX-License-Identifier: MIT */
#include "analyze/model/paths/blocked_waits.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/common/call_stack.h"
#include "analyze/model/paths/omp_edges.h"
#include "analyze/model/paths/path_waits.h"
#include "analyze/model/process/process.h"

#include <stdlib.h>

enum wait_kind {
	WAIT_CALL,   /* its path is that of the call that waits */
	WAIT_OPENMP, /* in an OpenMP runtime: its path is that of the call that starts the region */
	WAIT_NOWHERE, /* a worker of OpenMP outside of bodies */
};

/* What a sample and a wait of the same thread and cause may have in common: the more exact first.
 */
enum pool_level {
	POOL_PATH, /* the sample's call path goes through that of the wait */
	POOL_SITE, /* it goes through the call that waits: one of the two paths was cut */
	POOL_ANY,
	POOL_LEVELS,
};

/* Waits that a sample cannot tell apart, and the CPU time of the samples in them. */
struct pool {
	size_t level, thread, cause, place[2]; /* the key */
	uint64_t cpu_ns;
	uint64_t left_ns; /* of the waits, that is not CPU time yet */
};

/* Waits of one path. inner: routines + 1 inward of the call path, innermost first; 0: none. */
struct wait_group {
	size_t thread, cause, callpath, site, inner[2], kind; /* the key */
	uint64_t wait_ns, cpu_ns;
	struct pool *pools[POOL_LEVELS]; /* NULL: in none of that level */
};

struct reading {
	struct names *names;
	const struct profile *profile;
	struct keyed_table *groups, *pools;
};

static uint64_t without(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

static uint64_t share_of(uint64_t sum, uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((unsigned __int128)sum * part / whole) : 0;
}

/* ---- pools */

/* False: the level tells nothing of a call path that ends at `at`. */
static bool make_pool_key(const struct profile *profile, enum pool_level level, size_t at,
			  struct pool *key)
{
	const struct profile_callpath *row = &profile->callpaths.rows[at];

	key->level = level;
	key->place[0] = key->place[1] = 0;
	if (level == POOL_ANY)
		return true;
	if (!at)
		return false;
	key->place[0] = at;
	if (level == POOL_PATH)
		return true;
	key->place[0] = row->module;
	key->place[1] = row->offset;
	return !(row->flags & (CALLPATH_EXACT | CALLPATH_MARK));
}

static void enter_pools(struct reading *reading, struct wait_group *group)
{
	struct pool key = {.thread = group->thread, .cause = group->cause};

	for (enum pool_level level = 0; level < POOL_LEVELS; level++) {
		size_t at = level == POOL_PATH ? group->callpath : group->site;

		if (make_pool_key(reading->profile, level, at, &key))
			group->pools[level] = keyed_table_enter(reading->pools, &key, NULL);
	}
}

static void add(struct reading *reading, const struct wait_group *key, uint64_t wait_ns)
{
	bool is_new;
	struct wait_group *group = keyed_table_enter(reading->groups, key, &is_new);

	if (is_new)
		enter_pools(reading, group);
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
		.site = wait->site,
		.kind = wait->frame_count ? WAIT_OPENMP : WAIT_CALL,
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

static void add_outside(struct reading *reading, const struct profile_omp_thread *thread)
{
	const struct profile *profile = reading->profile;
	size_t count = profile->omp_executions.count;
	uint64_t edges_ns, *edges = omp_edges_read(profile, thread->thread, &edges_ns);
	uint64_t left_ns = thread->outside_ns, of_edges_ns;
	struct wait_group key = {
		.thread = thread->thread, .cause = CAUSE_OPENMP, .kind = WAIT_OPENMP};

	of_edges_ns = left_ns < edges_ns ? left_ns : edges_ns;
	for (size_t i = 0; i < count; i++) {
		uint64_t ns = share_of(of_edges_ns, edges[i], edges_ns);
		size_t region = profile->omp_executions.rows[i].region;

		key.callpath = key.site = profile->omp_regions.rows[region].caller;
		if (ns)
			add(reading, &key, ns);
		left_ns -= ns;
	}
	free(edges);
	key.callpath = key.site = 0;
	key.kind = WAIT_NOWHERE;
	add(reading, &key, left_ns);
}

/* ---- CPU time in waits */

/* Inner calls first: a wait in a handler is inside of the one that the handler interrupted. */
static struct pool *find_pool(const struct reading *reading, const struct profile_sample *sample)
{
	const struct profile *profile = reading->profile;
	struct pool key = {.thread = sample->thread, .cause = sample->cause};

	for (enum pool_level level = 0; level < POOL_ANY; level++)
		for (size_t at = sample->callpath; at; at = profile->callpaths.rows[at].parent) {
			struct pool *pool = make_pool_key(profile, level, at, &key)
						    ? keyed_table_find(reading->pools, &key)
						    : NULL;

			if (pool)
				return pool;
		}
	make_pool_key(profile, POOL_ANY, 0, &key);
	return keyed_table_find(reading->pools, &key);
}

static void add_sample(struct reading *reading, const struct profile_sample *sample)
{
	struct pool *pool;

	if (sample->cause == CAUSE_OTHER || sample->cause >= CAUSE_LIMIT)
		return;
	pool = find_pool(reading, sample);
	if (pool)
		pool->cpu_ns += sample->cpu_ns;
}

static void measure_pools(struct reading *reading, enum pool_level level)
{
	for (size_t i = 0; i < keyed_table_count(reading->groups); i++) {
		const struct wait_group *group = group_at(reading, i);

		if (group->pools[level])
			group->pools[level]->left_ns += group->wait_ns - group->cpu_ns;
	}
	for (size_t i = 0; i < keyed_table_count(reading->pools); i++) {
		struct pool *pool = keyed_table_row(reading->pools, i);

		if (pool->level == level && pool->cpu_ns > pool->left_ns)
			pool->cpu_ns = pool->left_ns;
	}
}

/* What is subtracted from each group goes down with what is left to subtract, so that no nanosecond
 * is lost. */
static void spread_pools(struct reading *reading, enum pool_level level)
{
	measure_pools(reading, level);
	for (size_t i = 0; i < keyed_table_count(reading->groups); i++) {
		struct wait_group *group = group_at(reading, i);
		struct pool *pool = group->pools[level];
		uint64_t own_ns = group->wait_ns - group->cpu_ns, ns;

		if (!pool)
			continue;
		ns = share_of(pool->cpu_ns, own_ns, pool->left_ns);
		group->cpu_ns += ns;
		pool->cpu_ns -= ns;
		pool->left_ns -= own_ns;
	}
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

/* Takes what does not fit into the room of a thread for CPU time, of the groups with so many
 * nanoseconds of it in proportion, and as far as they have that much. */
static void fit(struct reading *reading, const uint64_t *rooms, uint64_t least_cpu_ns)
{
	size_t threads = reading->profile->threads.count + 1;
	uint64_t *all_ns = memory_allocate(threads, sizeof *all_ns);
	uint64_t *some_ns = memory_allocate(threads, sizeof *some_ns);

	for (size_t i = 0; i < keyed_table_count(reading->groups); i++) {
		const struct wait_group *group = group_at(reading, i);
		uint64_t own_ns = group->wait_ns - group->cpu_ns;

		all_ns[group->thread] += own_ns;
		some_ns[group->thread] += group->cpu_ns >= least_cpu_ns ? own_ns : 0;
	}
	for (size_t i = 0; i < keyed_table_count(reading->groups); i++) {
		struct wait_group *group = group_at(reading, i);
		uint64_t own_ns = group->wait_ns - group->cpu_ns, sum_ns = some_ns[group->thread];
		uint64_t over_ns = without(all_ns[group->thread], rooms[group->thread]);

		if (over_ns && group->cpu_ns >= least_cpu_ns)
			group->cpu_ns +=
				own_ns - share_of(own_ns, without(sum_ns, over_ns), sum_ns);
	}
	free(some_ns);
	free(all_ns);
}

/* Makes the waits of each thread fit into its room. Waits with CPU time in them come first: how
 * much it is was sampled, and the others are as long as they were measured. */
static void keep_lives(struct reading *reading, const struct process *process)
{
	uint64_t *rooms = rooms_of(reading->profile, process);

	fit(reading, rooms, 1);
	fit(reading, rooms, 0);
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
	reading.pools = keyed_table_create(sizeof(struct pool), offsetof(struct pool, cpu_ns));
	path_waits_read(names, profile, process, add_wait, &reading);
	for (size_t i = 0; i < profile->omp_threads.count; i++)
		add_outside(&reading, &profile->omp_threads.rows[i]);
	for (size_t i = 0; i < profile->samples.count; i++)
		add_sample(&reading, &profile->samples.rows[i]);
	for (enum pool_level level = 0; level < POOL_LEVELS; level++)
		spread_pools(&reading, level);
	keep_lives(&reading, process);
	tell(&reading, visit, data);
	keyed_table_destroy(reading.groups);
	keyed_table_destroy(reading.pools);
	return true;
}
