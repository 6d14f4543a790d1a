/* SPDX-License-Identifier: MIT */
/* The sections that a thread has open, and what they took: tables section_times, section_longest
 * and marks.
 *
 * Context: own thread, is_busy; section_stack_settle is a sample's, and does nothing in the middle
 * of the others. errno is never changed. Memory: 12 KiB for a thread that tells sections. All
 * functions may be given a thread without any (thread->sections NULL). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/likely.h"
#include "preload/sections/section_longest.h"
#include "preload/thread/thread.h"

/* The thread tells its first one: makes thread->sections. False: there is no memory. */
bool section_stack_make(struct thread *thread);

/* A life of a record begins, in which nothing is open; and ends, with all that is open. */
void section_stack_renew(struct thread *thread);
void section_stack_end(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns);

/* A section of that name begins within the innermost one. frame: of the routine that it is, as a
 * stack pointer: what a jump has left is over when another one begins further out; 0: the program
 * says itself when it ends. */
void section_stack_begin(struct thread *thread, const char *name, uint64_t frame);

/* The innermost one of that name ends, and what is within it; NULL: the innermost one. */
void section_stack_leave(struct thread *thread, const char *name);

/* A member of an OpenMP team works for the section in which its region was met, until it parts:
 * its time is the section's, and neither a begin nor a length. What it has open then is cut. */
void section_stack_join(struct thread *thread, uint32_t section);
void section_stack_part(struct thread *thread);

/* Adds what passed in the innermost one; cpu_ns: the thread's clock, just read. */
void section_stack_settle(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns);

/* The same by the functions of this room, which read the clock only where that is due. */
void section_stack_pass(struct thread *thread, uint64_t now_ns);

/* A wait of the thread has ended. */
void section_stack_waited(struct thread *thread, const struct section_wait *wait);

/* A value at a point. */
void section_stack_mark(struct thread *thread, const char *name, int64_t value);

/* A phase that began at since_ns ended at now_ns, by the thread; another one began. 0: none. */
void section_stack_count_phase(struct thread *thread, uint32_t ended, uint64_t since_ns,
			       uint32_t begun, uint64_t now_ns);

/* Its clock, and its CPU time since its birth, as T_i is told it. */
uint64_t section_stack_now_ns(struct thread *thread);
uint64_t section_stack_cpu_ns(const struct thread *thread);
