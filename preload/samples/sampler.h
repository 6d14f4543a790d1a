/* SPDX-License-Identifier: MIT */
/* Samples: each thread's call path, every so much of its own CPU time.
 *
 * The timer runs on the thread's CPU clock: a thread that waits is never interrupted, so no call of
 * the program returns EINTR on our account. Each sample weighs the CPU time since the thread's
 * previous one, so that nothing depends on the kernel's tick; threads that are too short for that
 * claim each other's (sample_bank.h). The handler takes no lock, allocates
 * nothing, and needs less than 3 KiB of stack. Which signal it is: sample_signal.h.
 *
 * Where a thread has an alternate signal stack, samples run on it (SA_ONSTACK): such threads may
 * have tiny stacks besides (Go). One that is too small for a sample, or that holds frames of a
 * handler which has been left, ends the sampling of its thread. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "preload/thread/thread.h"

/* Start-up: installs the handler. wake is called, in the handler, for a process that sleeps (see
 * below). */
void sampler_start(void (*wake)(void));

/* A fork child that has no record yet: after its first period of CPU time it is worth one. */
void sampler_arm_sleeper(void);

/* Begins and ends sampling of the calling thread. */
void sampler_arm(struct thread *thread);
void sampler_disarm(struct thread *thread);

/* The calling thread ends: what no sample has claimed of its CPU time is left to others. */
void sampler_leave(const struct thread *thread, uint64_t cpu_ns);

/* Before exec: no signal of ours may be pending when the next program has no handler for it. after:
 * the exec failed. */
void sampler_before_exec(struct thread *thread);
void sampler_after_exec(struct thread *thread);

/* The calling thread has set its alternate stack. thread may be NULL. */
void sampler_stack_changed(struct thread *thread, const stack_t *stack);

/* It is about to run on another stack than the one that this address lies in. */
void sampler_leave_stack(struct thread *thread, uint64_t address);

/* From now on a sample does nothing, in any thread: not one system call. */
void sampler_seal(void);
