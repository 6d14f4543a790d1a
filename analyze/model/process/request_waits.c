/* SPDX-License-Identifier: MIT */
#include "analyze/model/process/request_waits.h"

#include "analyze/base/memory.h"
#include "analyze/model/threads/thread_role.h"
#include "analyze/model/threads/thread_time.h"

#include <stdlib.h>
#include <string.h>

struct lengths {
	uint64_t all_ns[CAUSE_LIMIT], requests_ns[CAUSE_LIMIT];
};

struct request_waits {
	struct names *names;
	const struct profile *profile;
	bool *is_accepted, *is_pool; /* by object */
	bool *takes_requests;        /* by call path: where those begin that wait for connections */
	struct lengths *lengths;     /* by thread */
};

/* ---- sockets */

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), of_end = strlen(end);

	return length >= of_end && !strcmp(text + length - of_end, end);
}

/* Returns whether the process serves. */
static bool find_sockets(struct request_waits *requests)
{
	const struct profile *profile = requests->profile;
	bool serves = false;

	for (size_t i = 1; i < profile->objects.count; i++) {
		const struct profile_object *object = &profile->objects.rows[i];

		if (object->kind != OBJECT_SOCKET)
			continue;
		requests->is_accepted[i] = ends_in(object->name, ", accepted");
		serves |= requests->is_accepted[i] || ends_in(object->name, ", listening");
	}
	for (size_t i = 0; i < profile->waits.count; i++)
		serves |= profile->waits.rows[i].cause == CAUSE_ACCEPT;
	return serves;
}

/* ---- pools */

static bool is_taking(enum cause cause)
{
	return cause == CAUSE_ACCEPT || cause == CAUSE_EVENTS;
}

/* Numbers of routines in which call paths begin that wait for connections or events, + 1. */
struct takers {
	size_t *roots;
	size_t count, capacity;
};

static bool is_taker(const struct takers *takers, size_t root)
{
	for (size_t i = 0; root && i < takers->count; i++)
		if (takers->roots[i] == root)
			return true;
	return false;
}

static void add_taker(struct takers *takers, size_t root)
{
	if (!root || is_taker(takers, root))
		return;
	takers->roots =
		memory_grow(takers->roots, takers->count, &takers->capacity, sizeof *takers->roots);
	takers->roots[takers->count++] = root;
}

static struct takers takers_of(const struct request_waits *requests)
{
	const struct profile *profile = requests->profile;
	struct takers takers = {0};

	for (size_t i = 0; i < profile->waits.count; i++)
		if (is_taking(profile->waits.rows[i].cause))
			add_taker(&takers, thread_role_of_path(requests->names, profile,
							       profile->waits.rows[i].callpath));
	for (size_t i = 1; i < profile->threads.count; i++)
		if (is_taking(profile->threads.rows[i].waiting_cause))
			add_taker(&takers,
				  thread_role_of_path(requests->names, profile,
						      profile->threads.rows[i].waiting_path));
	return takers;
}

static void mark_takers(struct request_waits *requests)
{
	struct takers takers = takers_of(requests);
	const struct profile *profile = requests->profile;

	for (size_t i = 1; takers.count && i < profile->callpaths.count; i++)
		requests->takes_requests[i] =
			is_taker(&takers, thread_role_of_path(requests->names, profile, i));
	free(takers.roots);
}

static bool may_be_of_pool(enum cause cause)
{
	return cause == CAUSE_CONDITION || cause == CAUSE_SEMAPHORE;
}

static void find_pools(struct request_waits *requests)
{
	const struct profile *profile = requests->profile;
	uint64_t *all_ns = memory_allocate(profile->objects.count, sizeof *all_ns);
	uint64_t *taken_ns = memory_allocate(profile->objects.count, sizeof *taken_ns);

	mark_takers(requests);
	for (size_t i = 0; i < profile->blame.count; i++) {
		const struct profile_blame *row = &profile->blame.rows[i];

		if (!may_be_of_pool(row->cause))
			continue;
		all_ns[row->object] += row->time_ns;
		if (requests->takes_requests[row->callpath])
			taken_ns[row->object] += row->time_ns;
	}
	for (size_t i = 1; i < profile->objects.count; i++)
		requests->is_pool[i] = taken_ns[i] && taken_ns[i] >= all_ns[i] / 2;
	free(all_ns);
	free(taken_ns);
}

bool request_waits_is(const struct request_waits *requests, const struct profile_wait *wait)
{
	if (wait->cause == CAUSE_READ)
		return requests->is_accepted[wait->object];
	return may_be_of_pool(wait->cause) && requests->is_pool[wait->object] &&
	       !requests->takes_requests[wait->callpath];
}

/* ---- threads */

static void add_length(struct request_waits *requests, const struct profile_wait *wait)
{
	struct lengths *lengths = &requests->lengths[wait->thread];

	lengths->all_ns[wait->cause] += wait->sum_ns;
	if (request_waits_is(requests, wait))
		lengths->requests_ns[wait->cause] += wait->sum_ns;
}

static void release(void *data)
{
	struct request_waits *requests = data;

	free(requests->is_accepted);
	free(requests->is_pool);
	free(requests->takes_requests);
	free(requests->lengths);
	free(requests);
}

const struct request_waits *request_waits_of(struct names *names, const struct profile *profile)
{
	void **attachment = names_attachment(names, profile, NAMES_REQUEST_WAITS, release);
	struct request_waits *requests = *attachment;

	if (requests)
		return requests;
	*attachment = requests = memory_allocate(1, sizeof *requests);
	requests->names = names;
	requests->profile = profile;
	requests->is_accepted = memory_allocate(profile->objects.count + 1, sizeof(bool));
	requests->is_pool = memory_allocate(profile->objects.count + 1, sizeof(bool));
	requests->takes_requests = memory_allocate(profile->callpaths.count + 1, sizeof(bool));
	requests->lengths = memory_allocate(profile->threads.count + 1, sizeof *requests->lengths);
	if (find_sockets(requests))
		find_pools(requests);
	for (size_t i = 0; i < profile->waits.count; i++)
		add_length(requests, &profile->waits.rows[i]);
	return requests;
}

static struct profile_wait present_wait(const struct thread_time *time)
{
	const struct profile_thread *thread = time->thread;

	return (struct profile_wait){
		.callpath = thread->waiting_path,
		.object = thread->waiting_object,
		.cause = thread->waiting_cause,
		.sum_ns = time->open_wait_ns,
	};
}

void request_waits_divide(const struct request_waits *requests, struct thread_time *time)
{
	struct lengths lengths = requests->lengths[time->index];
	struct profile_wait present = present_wait(time);

	lengths.all_ns[present.cause] += present.sum_ns;
	if (present.sum_ns && request_waits_is(requests, &present))
		lengths.requests_ns[present.cause] += present.sum_ns;
	for (enum cause cause = 0; cause < CAUSE_COUNT; cause++)
		time->requests_ns[cause] =
			lengths.all_ns[cause]
				? (uint64_t)((unsigned __int128)time->by_cause_ns[cause] *
					     lengths.requests_ns[cause] / lengths.all_ns[cause])
				: 0;
}
