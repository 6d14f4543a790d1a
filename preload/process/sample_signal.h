/* SPDX-License-Identifier: MIT */
/* The signal that takes samples: one that no program can have.
 *
 * glibc keeps two real-time signals to itself: programs can neither install a handler for them, nor
 * block, nor wait for them. Of the second, SIGSETXID, it makes use when a process with threads
 * changes its user, by tgkill; signals of a timer its handler ignores. Ours stands in front of it,
 * takes what comes from our timers and hands on the rest. So every signal that a program may use is
 * its own: with its default action, pending, in masks, in sigwait. (Go's runtime, which sets up
 * signals by system calls of its own, leaves these two alone as well.)
 *
 * Context: start and check are not for signal handlers; errno stays as it was. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum { SAMPLE_SIGNAL = 33 };

/* What our timers send along: a signal without it is not ours. */
extern char sample_signal_token[] __attribute__((visibility("hidden")));

typedef void sample_signal_handler(int number, siginfo_t *info, void *context);

/* Start-up. */
void sample_signal_start(sample_signal_handler *handler);

/* glibc installs its handler when a process starts its first thread, in place of ours: puts ours in
 * front again. A system call, 0.1 us. */
void sample_signal_check(void);

/* It was not for us. */
void sample_signal_forward(int number, siginfo_t *info, void *context);

/* Keeps the signal from interrupting the calling thread. */
void sample_signal_block(void);
void sample_signal_unblock(void);

/* The handler of a signal, as the kernel has it. */
uint64_t sample_signal_handler_of(int number);

/* Takes away what is pending for the calling thread. Blocked. */
void sample_signal_drain(void);

/* What the program wants blocked while its handler runs on the alternate stack, and our signal
 * besides: two handlers' frames rarely fit there. False: nothing needs to be added. */
bool sample_signal_add(sigset_t *mask);
bool sample_signal_remove(sigset_t *mask);
