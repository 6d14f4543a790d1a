/* SPDX-License-Identifier: MIT */
/* The life of a thread in its row of the profile: its birth, what the kernel tells of its times
 * meanwhile, its end, and the last look at all threads when the profile ends. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/thread/thread.h"

/* The calling thread made another one, for so long. */
void thread_creation_took(uint64_t ns);

/* Begins the life of the calling thread. flags: enum thread_flags. */
void thread_begin(struct thread *thread, uint32_t flags, struct unwind_stack stack);

/* Ends it: last figures; cpu_ns was read before now_ns, or it could exceed the life. The record
 * stays until it is released as often as it was held. */
void thread_end(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns);

/* Brings the row's times up to date. Own thread; cpu_ns was read before now_ns, both before this
 * call; with_delay: also run delay (5 us) and name. */
void thread_update(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns, bool with_delay);

/* So much of the calling thread's life until now was the tool's, and is left out of it, as is the
 * run delay meanwhile. delay_ns: what thread_run_delay said before. */
uint64_t thread_run_delay(void);
void thread_leave_out(struct thread *thread, uint64_t ns, uint64_t delay_ns);

/* The profile ends, or goes on after all. While it is final, threads that run on change nothing of
 * their rows. Begun before the clock is read that ends the profile: whoever reads a later clock
 * finds it begun. */
void thread_begin_final(void);
void thread_leave_final(void);
bool thread_is_final(void);

/* Last figures of the caller and of all threads that live, in a final profile. cpu_ns: of the
 * caller, read before now_ns. */
void thread_update_all(uint64_t now_ns, uint64_t cpu_ns);

/* CPU time of another, live thread (ns); 0: it is no more. */
uint64_t thread_read_other_cpu(const struct thread *thread);

/* In a fork child. */
void thread_life_reset(void);
