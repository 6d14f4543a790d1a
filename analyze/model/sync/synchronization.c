/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/sync/synchronization.h"

#include "analyze/base/key_hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/common/futex_cause.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/process/process.h"
#include "analyze/model/process/request_waits.h"
#include "analyze/model/sync/open_wait.h"
#include "analyze/model/sync/synchronization_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- the tables of a profile */

/* An MPI library that waits calls sched_yield, so that other ranks may run. */
static bool is_of_mpi(const struct synchronization_accumulator *accumulator,
		      const struct profile_tally *tally)
{
	const struct frame *frames;
	size_t count =
		names_frames(accumulator->names, accumulator->profile, tally->callpath, &frames);

	return count && names_routine(accumulator->names, frames[0].routine)->is_mpi;
}

static void add_tally(struct synchronization_accumulator *accumulator,
		      const struct profile_tally *tally)
{
	size_t index = sync_find_row(accumulator, tally->object, (enum operation)tally->operation);
	struct sync_row *row = &accumulator->result.rows[index];

	row->count += tally->count;
	if (tally->operation == OP_YIELD && is_of_mpi(accumulator, tally))
		row->of_mpi += tally->count;
}

static void add_carried(struct sync_row *into, const struct profile_wait *from)
{
	SUMS_OF_waits(SUM_ADD);
}

/* One of the library's futexes may serve several objects: then it is not told what for. All locks
 * of Python have one name: what most of the waits so far were for. */
void sync_add_cause(struct sync_row *row, enum cause cause, uint64_t wait_ns)
{
	enum object_kind kind = vocabulary_operand(row->operation);
	bool is_other = kind == OBJECT_FUTEX && row->wait_ns && row->cause != cause;

	if (kind == OBJECT_SEMAPHORE && row->wait_ns && wait_ns < row->wait_ns)
		return;

	if (wait_ns || !row->wait_ns)
		row->cause = is_other ? CAUSE_FUTEX : cause;
}

/* A lock or a join that is refused (EDEADLK) is so at once: nobody waited for it. */
static uint64_t contended_of(const struct profile_wait *wait, enum cause cause)
{
	uint64_t refused = cause_is_lock(cause) || cause == CAUSE_JOIN ? wait->failed : 0;

	return wait->count > refused ? wait->count - refused : 0;
}

static struct sync_share add_wait(struct synchronization_accumulator *accumulator,
				  const struct profile_wait *wait, bool is_idle)
{
	size_t index = sync_find_row(accumulator, wait->object, (enum operation)wait->operation);
	struct sync_row *row = &accumulator->result.rows[index];

	enum cause cause = futex_cause(accumulator->names, accumulator->profile, wait->cause,
				       wait->operation, wait->callpath);

	bool is_for_request = request_waits_is(accumulator->requests, wait);

	is_idle |= idle_whoever_waits(cause) || is_for_request;
	sync_add_cause(row, cause, wait->sum_ns);
	row->count += wait->count;
	row->contended += contended_of(wait, cause);
	row->left_out += wait->left_out;
	row->spread_us2 += blame_error_spread(wait);
	row->wait_ns += wait->sum_ns;
	row->idle_ns += is_idle ? wait->sum_ns : 0;
	row->requests_ns += is_for_request ? wait->sum_ns : 0;
	row->idle_waits += is_idle ? contended_of(wait, cause) : 0;
	if (wait->max_ns > row->wait_max_ns)
		row->wait_max_ns = wait->max_ns;
	add_carried(row, wait);
	histogram_add(&row->lengths, wait->histogram);
	accumulator->result.wait_ns_by_cause[cause] += wait->sum_ns;
	struct sync_site site =
		sync_site_of(accumulator, wait->callpath, wait->count, wait->sum_ns);

	site.row = index;
	site.idle_ns = is_idle ? wait->sum_ns : 0;
	sync_add_site(accumulator, &site);
	return (struct sync_share){wait->thread, index, site.routine, (unsigned)site.line,
				   site.time_ns};
}

/* What a damaged file says is at most the whole. */
static struct sync_holder_io holder_io_of(struct synchronization_accumulator *accumulator,
					  const struct profile_blame *blame)
{
	uint64_t ns = blame->holder_io_ns < blame->time_ns ? blame->holder_io_ns : blame->time_ns;
	enum operation operation = (enum operation)blame->holder_io_operation;

	if (!ns || operation >= OP_COUNT || !cause_is_lock(blame->cause) ||
	    io_is_io(operation) == (blame->holder_for_threads != 0))
		return (struct sync_holder_io){0};
	struct sync_site site = sync_site_of(accumulator, blame->holder_io_path, 1, ns);

	return (struct sync_holder_io){
		.ns = ns,
		.most_ns = ns,
		.routine = site.routine,
		.line = site.line,
		.object = sync_find_object(accumulator, blame->holder_io_object, operation),
		.operation = operation,
	};
}

static void add_blame(struct synchronization_accumulator *accumulator,
		      const struct profile_blame *blame)
{
	size_t row = sync_find_row(accumulator, blame->object, (enum operation)blame->operation);
	struct sync_site site =
		sync_site_of(accumulator, blame->callpath, blame->count, blame->time_ns);
	struct sync_share share = {blame->thread, row, site.routine, (unsigned)site.line,
				   site.time_ns};

	site.row = row;
	site.is_blame = true;
	*(blame->holder_for_threads ? &site.holder_wait : &site.holder_io) =
		holder_io_of(accumulator, blame);
	sync_add_site(accumulator, &site);
	sync_pairs_note(accumulator->pairs, SYNC_HOLDER, &share);
}

/* A wait that never ended is charged to the thread that never released the object, but for what
 * joined threads have charged already. */
static void add_open_wait(struct synchronization_accumulator *accumulator,
			  const struct open_wait *open, bool is_idle)
{
	const struct profile_thread *thread = open->time->thread;
	uint64_t open_ns = open->time->open_wait_ns;
	struct profile_wait wait = {
		.callpath = thread->waiting_path,
		.object = thread->waiting_object,
		.cause = thread->waiting_cause,
		.operation = open->operation,
		.count = 1,
		.sum_ns = open_ns,
		.max_ns = open_ns,
	};
	struct sync_site holder = {
		.is_blame = true,
		.routine = names_special(
			accumulator->names,
			open_wait_holder(open, accumulator->profile, accumulator->names)),
		.count = 1,
		.time_ns = open_ns - open->charged_ns,
	};

	struct sync_share victim = add_wait(accumulator, &wait, is_idle);
	struct sync_share of_charged = victim;
	struct sync_pair pair = {
		.row = victim.row,
		.holder = holder.routine,
		.victim = victim.routine,
		.victim_line = victim.line,
		.time_ns = holder.time_ns,
	};

	of_charged.time_ns = open->charged_ns;
	sync_pairs_note(accumulator->pairs, SYNC_VICTIM, &of_charged);
	if (!holder.time_ns || !open_wait_is_caused(open))
		return;
	holder.row = victim.row;
	sync_add_site(accumulator, &holder);
	sync_pairs_add(accumulator->pairs, &pair);
}

/* By the thread's row in the profile; released by the caller. */
static bool *idle_by_thread(const struct profile *profile, const struct process *process)
{
	bool *is_idle = memory_allocate(profile->threads.count + 1, sizeof *is_idle);
	double busiest = idle_busiest_ns(process);

	for (size_t i = 0; i < process->thread_count; i++)
		is_idle[process->threads[i].index] = idle_thread(&process->threads[i], busiest);
	return is_idle;
}

static void add_waits(struct synchronization_accumulator *accumulator,
		      const struct profile *profile, const struct process *process)
{
	bool *is_idle = idle_by_thread(profile, process);

	for (size_t i = 0; i < profile->waits.count; i++) {
		const struct profile_wait *wait = &profile->waits.rows[i];
		struct sync_share share = add_wait(accumulator, wait, is_idle[wait->thread]);

		sync_pairs_note(accumulator->pairs, SYNC_VICTIM, &share);
	}
	free(is_idle);
}

static void add_open_waits(struct synchronization_accumulator *accumulator,
			   const struct profile *profile, const struct process *process)
{
	struct open_waits waits = open_waits_of(profile, process);
	double busiest = idle_busiest_ns(process);

	for (size_t i = 0; i < waits.count; i++)
		add_open_wait(accumulator, &waits.rows[i],
			      idle_thread(waits.rows[i].time, busiest));
	open_waits_clear(&waits);
}

void synchronization_accumulator_add(struct synchronization_accumulator *accumulator,
				     const struct profile *profile, const struct process *process)
{
	accumulator->profile = profile;
	accumulator->process = process->index + 1;
	accumulator->requests = request_waits_of(accumulator->names, profile);
	accumulator->object_of =
		memory_allocate(profile->objects.count, sizeof *accumulator->object_of);
	for (size_t i = 0; i < profile->tallies.count; i++)
		add_tally(accumulator, &profile->tallies.rows[i]);
	add_waits(accumulator, profile, process);
	for (size_t i = 0; i < profile->blame.count; i++)
		add_blame(accumulator, &profile->blame.rows[i]);
	sync_add_io(accumulator);
	add_open_waits(accumulator, profile, process);
	sync_pairs_close(accumulator->pairs);
	free(accumulator->object_of);
	accumulator->requests = NULL;
	accumulator->profile = NULL;
}

/* ---- the result */

const struct sync_site *sync_row_main_waiter(const struct sync_row *row)
{
	const struct sync_site *most = row->waiters.count ? row->waiters.rows : NULL;

	for (size_t i = 1; i < row->waiters.count; i++) {
		const struct sync_site *site = &row->waiters.rows[i];

		if (sync_site_working_ns(site) > sync_site_working_ns(most))
			most = site;
	}
	return most;
}

bool synchronization_has_moves(const struct synchronization *synchronization, size_t object)
{
	for (size_t i = 0; i < synchronization->count; i++)
		if (synchronization->rows[i].object == object &&
		    synchronization->rows[i].operation == OP_FUTEX_REQUEUE)
			return true;
	return false;
}

static int compare_sites(const void *left, const void *right, void *names)
{
	const struct sync_site *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns > b->time_ns ? -1 : 1;
	if (a->routine != b->routine)
		return names_compare(names, a->routine, b->routine);
	return (a->line > b->line) - (a->line < b->line);
}

static int compare_rows(const void *left, const void *right, void *all)
{
	const struct sync_row *a = left, *b = right;
	const struct sync_object *objects = ((const struct synchronization *)all)->objects;

	if (a->wait_ns != b->wait_ns)
		return a->wait_ns > b->wait_ns ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	if (a->operation != b->operation)
		return a->operation < b->operation ? -1 : 1;
	int order = strcmp(objects[a->object].kind, objects[b->object].kind);

	return order ? order : strcmp(objects[a->object].stem, objects[b->object].stem);
}

static void sort_sites(const struct names *names, struct sync_sites *sites)
{
	if (sites->count)
		qsort_r(sites->rows, sites->count, sizeof *sites->rows, compare_sites,
			(void *)names);
}

static void finish(struct synchronization_accumulator *accumulator)
{
	struct synchronization *result = &accumulator->result;

	sync_finish_io(accumulator);
	result->names = memory_allocate(result->object_count, sizeof *result->names);
	for (size_t i = 0; i < result->object_count; i++)
		result->names[i] = sync_object_name(&result->objects[i]);
	for (size_t i = 0; i < result->count; i++) {
		sort_sites(accumulator->names, &result->rows[i].waiters);
		sort_sites(accumulator->names, &result->rows[i].blame);
		result->rows[i].pairs = sync_pairs_take(accumulator->pairs, i);
	}
	if (result->count)
		qsort_r(result->rows, result->count, sizeof *result->rows, compare_rows, result);
}

struct synchronization_accumulator *synchronization_accumulator_create(struct names *names)
{
	struct synchronization_accumulator *accumulator = memory_allocate(1, sizeof *accumulator);

	accumulator->names = names;
	accumulator->pairs = sync_pairs_create(names);
	accumulator->io_calls = sync_create_io();
	sync_create_rows(accumulator);
	return accumulator;
}

struct synchronization
synchronization_accumulator_finish(struct synchronization_accumulator *accumulator)
{
	finish(accumulator);
	struct synchronization result = accumulator->result;

	sync_destroy_rows(accumulator);
	keyed_table_destroy(accumulator->io_calls);
	sync_pairs_destroy(accumulator->pairs);
	free(accumulator);
	return result;
}

void synchronization_clear(struct synchronization *synchronization)
{
	for (size_t i = 0; i < synchronization->object_count; i++)
		free(synchronization->names[i]);
	for (size_t i = 0; i < synchronization->count; i++) {
		free(synchronization->rows[i].waiters.rows);
		free(synchronization->rows[i].blame.rows);
		free(synchronization->rows[i].pairs.rows);
		free(synchronization->rows[i].callers.rows);
	}
	free(synchronization->objects);
	free(synchronization->names);
	free(synchronization->rows);
}
