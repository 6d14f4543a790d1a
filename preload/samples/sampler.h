/* SPDX-License-Identifier: MIT */
/* Samples: each thread's call path, at intervals of its own CPU time.
 *
 * The timer runs on the thread's CPU clock: a waiting thread is never interrupted, so no call of
 * the program returns EINTR because of us. Each sample stands for the CPU time since the thread's
 * previous one, so that nothing depends on the kernel's tick; threads that are too short for that
 * claim each other's (sample_bank.h). The handler takes no lock, allocates nothing, and needs less
 * than 3 KiB of stack. The signal: sample_signal.h.
 *
 * If a thread has an alternate signal stack, samples run on it (SA_ONSTACK), because such threads
 * may have tiny stacks (Go). If it is too small for a sample, or holds frames of a handler that was
 * left, sampling of its thread ends. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "preload/thread/thread.h"

/* Start-up: installs the handler. wake is called, in the handler, for a process that is asleep (see
 * below). */
void sampler_start(void (*wake)(void));

/* A fork child that is asleep, without a profile yet: wakes it after its first period of CPU
 * time. */
void sampler_arm_sleeper(void);

/* Begins and ends sampling of the calling thread. The first returns its CPU clock, read last; 0: it
 * was not read. */
uint64_t sampler_arm(struct thread *thread);
void sampler_disarm(struct thread *thread);

/* For another thread that runs already: its timer. Then, by the thread itself: what only it can
 * know. */
void sampler_arm_other(struct thread *thread);
void sampler_join(struct thread *thread);

/* The calling thread was stopped in a system call, to which it goes back, and which a sample would
 * end: its next one is a whole period away (what is pending is discarded by ptrace-attach). The
 * record of its own may be NULL. */
void sampler_calm(struct thread *own);

/* The calling thread ends: leaves its CPU time that no sample has claimed to others. */
void sampler_leave(const struct thread *thread, uint64_t cpu_ns);

/* The calling thread begins a handler on that alternate stack, or is back from it: no sample comes
 * meanwhile. Also for one whose record is absent, and for a process that is asleep. */
void sampler_pause(const stack_t *stack);
/* First, if the signal of samples was pending when the handler began (it is blocked still): takes
 * the sample of what the handler has interrupted, whose context that is. */
void sampler_take_due(const void *context);
void sampler_go_on(uint64_t least_ns); /* after so much CPU time at the earliest */

/* The calling thread has set its alternate stack. thread may be NULL. */
void sampler_stack_changed(struct thread *thread, const stack_t *stack);

/* It is about to leave the stack that this address lies in. */
void sampler_leave_stack(struct thread *thread, uint64_t address);

/* The profile has ended, and the process goes on: all timers end, also that of a thread that is
 * just being born. For another profile: sampler_come_back. */
void sampler_leave_all(void);
void sampler_come_back(void);

/* Deletes all timers. From now on samples do nothing, in any thread, not even a system call. */
void sampler_seal(void);
