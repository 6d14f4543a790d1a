/* SPDX-License-Identifier: MIT */
/* The life of a thread in its row of the profile: its birth, its times as the kernel reports them,
 * its end, and the last update of all threads when the profile ends. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/thread/thread.h"

/* How long the calling thread took to create another one. */
void thread_creation_took(uint64_t ns);

/* Begins the calling thread's life. flags: enum thread_flags; cpu_ns: its clock just now. */
void thread_begin(struct thread *thread, uint32_t flags, struct unwind_stack stack,
		  uint64_t cpu_ns);

/* Begins the life of another thread, which runs already, as far as it can be told from outside: of
 * its system time up to 10 ms are counted to a wrong side. False: it has ended. was_blocked is set.
 * number: that by which /proc knows it. Then, by the thread itself: the record is its own. */
bool thread_begin_other(struct thread *thread, int32_t tid, int32_t number);
void thread_join_record(struct thread *thread);

/* It has ended, and nobody knows when: its life ends with what is known of it. */
void thread_end_other(struct thread *thread);

/* Ends it, with its last figures; cpu_ns was read before now_ns, or it could exceed the life. The
 * record stays until all holds are released. */
void thread_end(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns);

/* Updates the row's times. Own thread. cpu_ns was read before now_ns, both before this call;
 * with_delay: also run delay (5 us) and name. */
void thread_update(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns, bool with_delay);

/* So much of the calling thread's life was the tool's: it is left out, and so is the run delay
 * meanwhile. delay_ns: what thread_run_delay returned before. */
uint64_t thread_run_delay(const struct thread *self);
void thread_leave_out(struct thread *thread, uint64_t ns, uint64_t delay_ns);

/* The profile ends, or goes on after all. While it is final, threads that run on do not change
 * their rows. It becomes final before the clock is read that ends the profile, so that a thread
 * which reads a later time finds it final. */
void thread_begin_final(void);
void thread_leave_final(void);
bool thread_is_final(void);

/* In a final profile: last figures of the caller and of all living threads. cpu_ns: the caller's,
 * read before now_ns. */
void thread_update_all(uint64_t now_ns, uint64_t cpu_ns);

/* CPU time of another, living thread (ns); 0: it has ended. */
uint64_t thread_read_other_cpu(const struct thread *thread);

/* Its state as the kernel says it, 'R' if it runs or is ready; '\0': there is no such thread. By
 * one thread at a time. */
char thread_other_state(const struct thread *thread);

/* Fork child. */
void thread_life_reset(void);

/* Is it the caller's own? A raw clone and a vfork child may share the thread-local memory of the
 * thread that made them, and with it its record. Asks the kernel. */
bool thread_is_callers(const struct thread *thread);
