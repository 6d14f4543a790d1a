/* SPDX-License-Identifier: MIT */
/* Figures of waits: by object and operation, and by who caused them. Static objects are identified
 * by their symbol, others by the routine that created them. */
#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"
#include "analyze/diff/figures.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/report/row_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most of its waits. */
static bool is_for_requests(const struct sync_row *row)
{
	return row->requests_ns && row->requests_ns >= row->wait_ns / 2;
}

/* A thread that waits for others waits because of what they do. One that waits for events, for
 * connections or for signals is idle: that it did so for longer or shorter explains nothing. */
static enum figure_role role_of(const struct extract *extract, const struct sync_row *row)
{
	static const enum figure_role roles[CAUSE_LIMIT] = {
		[CAUSE_MUTEX] = ROLE_CAUSE,       [CAUSE_RWLOCK] = ROLE_CAUSE,
		[CAUSE_SPINLOCK] = ROLE_CAUSE,    [CAUSE_BARRIER] = ROLE_CAUSE,
		[CAUSE_ONCE] = ROLE_CAUSE,        [CAUSE_SLEEP] = ROLE_CAUSE,
		[CAUSE_OPENMP] = ROLE_CAUSE,      [CAUSE_SEMAPHORE] = ROLE_SYMPTOM,
		[CAUSE_CONDITION] = ROLE_SYMPTOM, [CAUSE_FUTEX] = ROLE_SYMPTOM,
		[CAUSE_READ] = ROLE_SYMPTOM,      [CAUSE_WRITE] = ROLE_SYMPTOM,
		[CAUSE_IPC] = ROLE_SYMPTOM,       [CAUSE_CONNECT] = ROLE_CAUSE,
		[CAUSE_OPEN] = ROLE_CAUSE,        [CAUSE_DISK] = ROLE_CAUSE,
		[CAUSE_FILE_LOCK] = ROLE_CAUSE,
	};
	const struct sync_sites *sites = &row->waiters;
	bool is_of_mpi =
		sites->count &&
		runtime_is_mpi(names_routine(extract->run->names, sites->rows[0].routine)->module);

	return is_of_mpi || idle_whoever_waits(row->cause) || is_for_requests(row)
		       ? ROLE_EXPLAINS
		       : roles[row->cause];
}

/* What the thread that was waited for did. */
static const char *verb_of(enum cause cause)
{
	switch (cause) {
	case CAUSE_MUTEX:
	case CAUSE_RWLOCK:
	case CAUSE_SPINLOCK:
	case CAUSE_OPENMP:
		return "held by";
	case CAUSE_BARRIER:
		return "last to come:";
	case CAUSE_CONDITION:
	case CAUSE_SEMAPHORE:
	case CAUSE_FUTEX:
		return "woken by";
	default:
		return "by";
	}
}

struct wait {
	const struct sync_row *row;
	double weight; /* elapsed time / waiting time */
	char *key, *shown;
};

static double weight_of(const struct extract *extract, const struct sync_row *row)
{
	double ns = (double)row->wait_ns;
	double idle_ns = extract_idle_part(extract, row->cause, ns);

	return ns > 0 ? (ns - idle_ns) / ns / extract->threads : 1 / extract->threads;
}

/* What one thinks of if only the object is named: any other operation on it is named as well. */
static bool is_main(enum operation operation)
{
	static const bool is[OP_COUNT] = {
		[OP_MUTEX_LOCK] = true,   [OP_RWLOCK_WRITE] = true, [OP_SPIN_LOCK] = true,
		[OP_COND_WAIT] = true,    [OP_BARRIER_WAIT] = true, [OP_SEM_WAIT] = true,
		[OP_ONCE] = true,         [OP_JOIN] = true,         [OP_FUTEX_WAIT] = true,
		[OP_CRITICAL] = true,     [OP_ORDERED] = true,      [OP_ATOMIC] = true,
		[OP_OMP_SET_LOCK] = true,
	};

	return is[operation];
}

/* "mutex queue_lock", "semaphore items, post"; as a key, "mutex queue_lock, lock". A call has no
 * object. */
static struct wait wait_of(const struct extract *extract, const struct sync_row *row)
{
	const struct sync_object *object = &extract->run->synchronization.objects[row->object];
	bool is_call = !strcmp(object->kind, "call");
	char *stem = figure_key_without_lines(object->stem);
	struct wait wait = {.row = row, .weight = weight_of(extract, row)};

	wait.key = is_call ? memory_copy_text(stem)
			   : memory_print("%s %s, %s", object->kind, stem,
					  vocabulary_operation(row->operation));
	wait.shown = is_call || !is_main(row->operation)
			     ? memory_copy_text(wait.key)
			     : memory_print("%s %s", object->kind, stem);
	free(stem);
	return wait;
}

static void add_holder(const struct extract *extract, const struct wait *wait,
		       const struct sync_site *site)
{
	const struct routine *routine = names_routine(extract->run->names, site->routine);
	const char *verb = verb_of(wait->row->cause);
	char *key = memory_print("%s %s %s", wait->key, verb, routine->name);
	char *place = figure_key_place(extract->run->names, site->routine);

	if (wait->row->cause == CAUSE_FUTEX &&
	    synchronization_has_moves(&extract->run->synchronization, wait->row->object))
		verb = "woken or moved by";
	char *shown = memory_print("%s, %s %s", wait->shown, verb, place);
	char *who = memory_print("%s %s", verb, place);
	double ns = (double)site->time_ns;

	figures_add(extract->figures, &(struct figure){
					      .section = SECTION_HOLDERS,
					      .key = key,
					      .metric = "inflicted",
					      .unit = UNIT_NS,
					      .sense = SENSE_LESS,
					      .value = ns,
					      .effect_ns = ns * wait->weight,
					      .shown = shown,
					      .subject = wait->key,
					      .place = who,
				      });
	free(key);
	free(place);
	free(shown);
	free(who);
}

void extract_synchronization(const struct extract *extract)
{
	const struct synchronization *all = &extract->run->synchronization;

	for (size_t i = 0; i < all->count; i++) {
		const struct sync_row *row = &all->rows[i];
		struct wait wait = wait_of(extract, row);
		const struct extract_row of = {
			.like = {.section = SECTION_WAITS, .key = wait.key, .shown = wait.shown},
			.role = role_of(extract, row),
			.scale = {[TIME_OF_THREADS] = {wait.weight, 1}},
		};

		extract_fields(extract, &of, &synchronization_fields, row);
		for (size_t j = 0; j < row->blame.count; j++)
			add_holder(extract, &wait, &row->blame.rows[j]);
		free(wait.key);
		free(wait.shown);
	}
}
