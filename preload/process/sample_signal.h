/* SPDX-License-Identifier: MIT */
/* The signal that takes samples: one that no program can use.
 *
 * glibc reserves two real-time signals: programs can neither install a handler for them, nor block
 * them, nor wait for them. It sends the second, SIGSETXID, by tgkill when a process with threads
 * changes its user; its handler ignores signals of a timer. Our handler replaces it, takes what
 * comes from our timers and passes on the rest. So all signals that a program may use remain its
 * own: their default actions, pending signals, masks, sigwait. (Go's runtime, which sets up signals
 * by system calls of its own, leaves these two alone as well.)
 *
 * Context: start and check are not for signal handlers; errno stays as it was. */
#pragma once

#include "preload/base/quiet.h" /* SAMPLE_SIGNAL */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* What our timers send with the signal: a signal without it is not ours. */
extern char sample_signal_token[] __attribute__((visibility("hidden")));
bool sample_signal_is_ours(const siginfo_t *info);

typedef void sample_signal_handler(int number, siginfo_t *info, void *context);

/* Start-up. */
void sample_signal_start(sample_signal_handler *handler);

/* glibc installs its handler in place of ours when a process starts its first thread: installs ours
 * again. A system call, 0.1 us. */
void sample_signal_check(void);

/* Passes on a signal that was not ours. */
void sample_signal_forward(int number, siginfo_t *info, void *context);

/* For the calling thread. While it is blocked, another thread may wait in setuid: so it is open
 * again a few system calls later, whatever happens. block: false if it was blocked already. */
bool sample_signal_block(void);
void sample_signal_unblock(void);
bool sample_signal_is_blocked(void);

/* The handler of a signal, as the kernel has it. */
uint64_t sample_signal_handler_of(int number);

/* Whether its handler returns by libc's code, as one does that libc's sigaction has set (x86-64; on
 * AArch64 all return by the kernel's). */
bool sample_signal_returns_by_libc(int number);

/* What its delivery does to a call that waits. NONE: it has no handler. */
enum sample_signal_effect { EFFECT_NONE, EFFECT_ENDS_CALLS, EFFECT_RESTARTS_CALLS };
enum sample_signal_effect sample_signal_effect_of(int number);

/* Takes what is pending for the calling thread, which has it blocked: discards samples, and gives
 * libc what is libc's. True: there was a sample. */
bool sample_signal_drain(void);

/* Adds our signal to the mask with which a handler begins; or removes it. False: nothing was to be
 * changed. */
bool sample_signal_add(sigset_t *mask);
bool sample_signal_remove(sigset_t *mask);
