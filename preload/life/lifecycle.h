/* SPDX-License-Identifier: MIT */
/* Birth and end of threads and of the process: start-up, fork, exec, exit, and their order.
 *
 * States: before start-up calls are passed on unmeasured; then the process is profiled. A fork
 * child is asleep until something happens that is worth a file of its own (most children exec at
 * once). Without a writable run directory nothing is measured. A process that enters a sandbox is
 * sealed: its profile ends there. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <threads.h>

#include "preload/thread/thread.h"

/* The constructor's work. */
void lifecycle_start(void);

/* For a program that runs already (attach/). The settings have been read, and the imports of the
 * program do not lead here. Begins a profile with the threads that there are. The caller is a
 * thread of the program on a foreign stack. 0; -EALREADY: there is a profile; -EAGAIN: threads are
 * still on their way out of the last one; or what opening the profile gave. */
int lifecycle_attach(void);

/* Threads that were made meanwhile, before the imports led here. */
void lifecycle_attach_threads(void);

/* The last of what begin and end do: the calling thread goes back to its system call. */
void lifecycle_calm(void);

/* Afterwards: the profile ends, the program goes on. Only when no import leads here any more.
 * -ENOENT: it was not attached to. */
int lifecycle_detach(void);

/* The record of the calling thread if thread_current() is NULL: adopts a thread that no wrapped
 * call started, wakes a fork child that is asleep; NULL: nothing is to be measured. Not from signal
 * handlers. Never changes errno. */
struct thread *lifecycle_thread(void);

static inline struct thread *thread_or_adopt(void)
{
	struct thread *thread = thread_current();

	if (likely(thread) || thread_is_unobserved)
		return thread;
	return lifecycle_thread();
}

/* From here on T_i comes from switch records and waits: before the second thread is made, or when
 * the process becomes a rank, whose waits use the processor. */
void lifecycle_begin_parallel(struct thread *self);

/* Before the real pthread_create and thrd_create: the record is passed to one of the two below, as
 * start routine; NULL: start the thread as it is. stack_bytes: what glibc will make its stack
 * of. */
struct thread *lifecycle_prepare_thread(bool is_joinable, uint64_t stack_bytes);
void *lifecycle_run_thread(void *record);
int lifecycle_run_c11_thread(void *record);

/* A join or detach succeeded: the thread will not be asked for any more. */
void lifecycle_forget_thread(struct thread *thread);

/* Around the real fork. */
void lifecycle_before_fork(void);
void lifecycle_after_fork(bool is_child);

/* For rooms that include this one: `forget` is called in fork children, to forget the parent's
 * tables. Repeated calls with one function register it once. */
void lifecycle_call_in_child(void (*forget)(void));

/* Before the process gives up root's rights, with which alone it may open or make its profile: one
 * that is asleep is woken, and the file gets room for what comes. Never changes errno. */
void lifecycle_before_new_user(void);

/* This process is a fork child that is asleep. Asks the kernel: a vfork child of such a one is
 * not. */
bool lifecycle_is_asleep(void);

/* For a room that includes this one: called in a fork child that was asleep, when it has a profile,
 * with its first thread. */
extern void (*lifecycle_awoke)(struct thread *thread) __attribute__((visibility("hidden")));

/* For a room that includes this one: called once by exit, after the program's own handlers. */
extern void (*lifecycle_exits)(void) __attribute__((visibility("hidden")));

/* The process ends now with that exit code. Idempotent; several threads may call it. */
void lifecycle_end_process(int status);

/* The process was told of the end of a child. was_awaited: it ended while the call waited, not
 * before. */
void lifecycle_record_child(int pid, int status, bool was_awaited);
