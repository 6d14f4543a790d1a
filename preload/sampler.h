/* SPDX-License-Identifier: MIT */
/* Samples: each thread's call path, every so much of its own CPU time.
 *
 * The timer runs on the thread's CPU clock: a thread that waits is never interrupted, so no call of
 * the program returns EINTR on our account. Each sample weighs the CPU time since the thread's
 * previous one, so that nothing depends on the kernel's tick. The handler takes no lock, allocates
 * nothing, and needs less than 2 KiB of stack.
 *
 * The signal's number is kept out of the program's sight: see wrap_signal.c. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "thread.h"

/* Start-up: installs the handler. wake is called, in the handler, for a process that sleeps (see
 * below). */
void sampler_start(void (*wake)(void));

/* A fork child that has no record yet: after its first period of CPU time it is worth one. */
void sampler_arm_sleeper(void);

/* Begins and ends sampling of the calling thread. */
void sampler_arm(struct thread *thread);
void sampler_disarm(struct thread *thread);

/* Before exec: no signal of ours may be pending when the next program has no handler for it. after:
 * the exec failed. */
void sampler_before_exec(struct thread *thread);
void sampler_after_exec(struct thread *thread);

/* Keeps the signal from interrupting: a fork that takes longer than the period would start again
 * for ever. */
void sampler_block(void);
void sampler_unblock(void);

/* What the program believes to have installed for the signal that we use. */
void sampler_program_action(const struct sigaction *set, struct sigaction *old);

bool sampler_uses(int signal);

/* Removes the signal from a set that the program wants to block or wait for. */
void sampler_exclude(sigset_t *set);
