/* SPDX-License-Identifier: MIT */
/* Birth and death of threads and of the process: start-up, fork, exec, exit, and their order.
 *
 * States: before start-up everything passes through; then the process is profiled; a fork child
 * sleeps until something happens that is worth a file of its own (most children exec at once);
 * without a run directory that can be written nothing is done. A process that enters a sandbox is
 * sealed: its profile ends there. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <threads.h>

#include "preload/thread/thread.h"

/* The constructor's work. */
void lifecycle_start(void);

/* The record of the calling thread when thread_current() is NULL: adopts a thread that nobody
 * announced, wakes a sleeping fork child; NULL where nothing is to be measured. Not from signal
 * handlers. Never changes errno. */
struct thread *lifecycle_thread(void);

static inline struct thread *thread_or_adopt(void)
{
	struct thread *thread = thread_current();

	if (likely(thread) || thread_is_unobserved)
		return thread;
	return lifecycle_thread();
}

/* From here on T_i comes from switch records and waits: before the second thread is made, or the
 * process becomes a rank, whose waits are busy. */
void lifecycle_begin_parallel(struct thread *self);

/* Around the real pthread_create and thrd_create. The record goes to the start routine as its
 * argument; NULL: start the thread as it is. stack_bytes is what glibc will make its stack of. */
struct thread *lifecycle_prepare_thread(bool is_joinable, uint64_t stack_bytes);
void *lifecycle_run_thread(void *record);
int lifecycle_run_c11_thread(void *record);

/* A join or detach succeeded: nobody will ask for this thread any more. */
void lifecycle_forget_thread(struct thread *thread);

/* Around the real fork. */
void lifecycle_before_fork(void);
void lifecycle_after_fork(bool is_child);

/* A room on a higher floor has tables of the parent to forget: called in fork children, once for
 * each function. */
void lifecycle_call_in_child(void (*forget)(void));

/* A fork child that has done nothing yet is about to exec: it leaves no profile, and its call is
 * not counted. False where it does, as its next program cannot be seen, or where it is none. */
bool lifecycle_sleeps_through_exec(char *const environment[]);

/* Around the real exec; the environment decides whether the next program can be seen. */
void lifecycle_before_exec(char *const environment[]);
void lifecycle_after_failed_exec(void);

/* A program is started with that environment (posix_spawn). */
void lifecycle_note_environment(char *const environment[]);

/* From the next moment on a system call of ours, or a clock that the calling thread reads, may be
 * the process's death: its profile ends here, but for how the process itself will end. Not from
 * signal handlers. */
void lifecycle_seal(enum note_code why);

/* The process ends now with that exit code. Idempotent; several threads may come. */
void lifecycle_end_process(int status);

/* The process saw the end of a child. was_awaited: it ended while the call waited, not before. */
void lifecycle_record_child(int pid, int status, bool was_awaited);
