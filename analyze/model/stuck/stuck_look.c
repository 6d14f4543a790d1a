/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/stuck/stuck_look.h"

#include "analyze/base/memory.h"
#include "analyze/read/process_look.h"
#include "analyze/read/profile_read.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BETWEEN_NS = 200000000 };

static const struct profile_thread *row_of(const struct profile *profile, uint64_t tid)
{
	for (size_t i = 1; i < profile->threads.count; i++)
		if (profile->threads.rows[i].tid == tid &&
		    profile->threads.rows[i].flags & THREAD_ALIVE)
			return &profile->threads.rows[i];
	return NULL;
}

/* A thread that is in the same wait as before has not moved, however much it polls; nor has one that
 * is gone and has not said so: its process was killed meanwhile, in that wait. In no wait, it has if
 * it was on a processor; what blocks it then is not seen, and may end. */
static void compare(struct stuck_wait *wait, const struct profile *profile, uint64_t before_ns)
{
	const struct profile_thread *row = profile ? row_of(profile, wait->tid) : NULL;
	struct thread_look now = thread_look_at(wait->pid_here, wait->tid);

	wait->used_ns = now.cpu_ns > before_ns ? now.cpu_ns - before_ns : 0;
	wait->has_moved = !row || row->waiting_since_ns != wait->since_ns;
}

void stuck_look_again(struct stuck *stuck)
{
	const struct timespec between = {.tv_nsec = BETWEEN_NS};
	uint64_t *before_ns = memory_allocate(stuck->count + 1, sizeof *before_ns);
	struct profile *profile = NULL;
	char *problem = NULL;

	for (size_t i = 0; i < stuck->count; i++)
		if (stuck->waits[i].pid_here)
			before_ns[i] = thread_look_at(stuck->waits[i].pid_here, stuck->waits[i].tid)
					       .cpu_ns;
	nanosleep(&between, NULL);
	for (size_t i = 0; i < stuck->count; i++) {
		struct stuck_wait *wait = &stuck->waits[i];
		bool is_next = !i || wait->process != stuck->waits[i - 1].process;

		if (is_next && profile)
			profile_destroy(profile);
		if (is_next)
			profile =
				wait->pid_here ? profile_open_summary(wait->path, &problem) : NULL;
		if (is_next && wait->pid_here && !profile)
			free(problem);
		if (wait->pid_here)
			compare(wait, profile, before_ns[i]);
	}
	if (profile)
		profile_destroy(profile);
	free(before_ns);
}

/* ---- locks */

static bool read_at(const struct stuck_wait *wait, size_t offset, uint32_t *word)
{
	return process_look_word(wait->pid_here, wait->address + offset, word);
}

static void look_at_mutex(struct stuck_wait *wait)
{
	enum { MUTEX_SHARED = 128 }; /* of glibc's __kind */
	uint32_t lock, owner, kind;

	if (!read_at(wait, offsetof(pthread_mutex_t, __data.__lock), &lock) ||
	    !read_at(wait, offsetof(pthread_mutex_t, __data.__owner), &owner))
		return;
	wait->holder = lock ? owner : 0;
	wait->is_shared = read_at(wait, offsetof(pthread_mutex_t, __data.__kind), &kind) &&
			  kind & MUTEX_SHARED;
	wait->source = STUCK_MEMORY;
}

/* In the word of libc's lock the lowest three bits are a phase. */
static void look_at_rwlock(struct stuck_wait *wait)
{
	uint32_t readers, writer, shared;

	if (!read_at(wait, offsetof(pthread_rwlock_t, __data.__readers), &readers) ||
	    !read_at(wait, offsetof(pthread_rwlock_t, __data.__cur_writer), &writer))
		return;
	wait->is_shared =
		read_at(wait, offsetof(pthread_rwlock_t, __data.__shared), &shared) && shared;
	wait->holder = writer;
	wait->readers = writer ? 0 : readers >> 3;
	wait->source = STUCK_MEMORY;
}

/* The kernel defines this word: the holder's thread number. */
static void look_at_pi_futex(struct stuck_wait *wait)
{
	uint32_t word;

	if (!read_at(wait, 0, &word))
		return;
	wait->holder = word & FUTEX_TID_MASK;
	wait->is_shared = true; /* the call says, which is not recorded */
	wait->source = STUCK_MEMORY;
}

/* A descriptor is looked up after the first wait for it, so that one has no object yet. */
static void look_at_call(struct stuck_wait *wait)
{
	if (wait->inode)
		return;
	wait->inode = process_look_pipe_of_call(wait->pid_here, wait->tid);
	wait->device = 0;
	wait->object_kind = wait->inode ? OBJECT_PIPE : wait->object_kind;
	wait->is_writing = wait->cause == CAUSE_WRITE;
}

static void look_at_object(struct stuck_wait *wait)
{
	if (wait->cause == CAUSE_READ || wait->cause == CAUSE_WRITE)
		look_at_call(wait);
	if (!wait->address)
		return;
	if (wait->operation == OP_FUTEX_LOCK)
		look_at_pi_futex(wait);
	else if (wait->object_kind == OBJECT_MUTEX)
		look_at_mutex(wait);
	else if (wait->object_kind == OBJECT_RWLOCK)
		look_at_rwlock(wait);
}

void stuck_look_at_objects(struct stuck *stuck)
{
	for (size_t i = 0; i < stuck->count; i++)
		if (stuck->waits[i].pid_here && stuck->waits[i].since_ns)
			look_at_object(&stuck->waits[i]);
}
