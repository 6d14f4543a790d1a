/* SPDX-License-Identifier: MIT */
/* The lock of a stream, as flockfile takes it. Another thread that reads what a call has written,
 * or writes what it reads, may close the stream meanwhile: fclose waits for that lock, and frees
 * the stream. So after the call a stream is looked at only within one more lock around it:
 *
 *     struct stream_lock lock;
 *     bool may_look = stream_lock_take(&lock, file, takes_lock);
 *     ... the real call, and a look if may_look ...
 *     stream_lock_give(&lock);
 *
 * It is given back as well if the call is cancelled, or left by longjmp: by the list of clean-ups
 * that libc itself keeps for programs without unwinding. On the frame there is none, so that
 * unwinding passes here as it always does. An exception that a signal handler throws out of the
 * call would leave it taken.
 *
 * Context: own thread, signal handlers; before and after the call that would take it, too. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/single_threaded.h>

#include "preload/base/likely.h"

struct stream_lock {
	FILE *file; /* NULL: not taken */
	struct _pthread_cleanup_buffer undo;
};

enum { STREAM_LOCKED_BY_CALLER = 0x8000 }; /* libc's flag: FSETLOCKING_BYCALLER */

/* takes_lock: whether the call itself does; others leave it to the program that no other thread has
 * the stream. */
static inline bool stream_lock_is_needed(const FILE *file, bool takes_lock)
{
	return !__libc_single_threaded && takes_lock &&
	       likely(!(file->_flags & STREAM_LOCKED_BY_CALLER));
}

/* False: the stream must not be looked at after the call. That is so if a library behind us has
 * calls of streams: it may have a lock of its own, which comes before the stream's. */
bool stream_lock_take(struct stream_lock *lock, FILE *file, bool takes_lock);
void stream_lock_give(struct stream_lock *lock);

/* For a moment without a call: false: another thread has it, or it cannot be taken. */
bool stream_lock_try(FILE *file);
void stream_lock_leave(FILE *file);
