/* SPDX-License-Identifier: MIT */
/* Handlers of the program that may run on an alternate stack (SA_ONSTACK): no sample interrupts
 * them there.
 *
 * The stack is often too small for the frames of both (the kernel ends a program whose signal does
 * not fit), and the handler may switch to another context and leave its frame there, which the next
 * sample's would overwrite. So the signal of samples is in the mask with which such a handler
 * begins: both may come at once. But it must not stay there: it is libc's as well, which makes
 * setuid wait for it (the handler may wait for that thread), and a jump out of the handler, a
 * thread or a process that it makes would keep the mask. So the handler is called by a routine of
 * ours, which stops the thread's timer, takes the signal out of the mask again, and lets the timer
 * go on when the handler returns; one that jumps is seen by the jump (sample_pause_jump). On the
 * thread's ordinary stack only the mask is put right, and no frame of ours is below the handler.
 *
 * The program sees its own handlers, flags and masks; a system call instruction of its own, or a
 * sigaction that it looks up in libc, would see ours: calling or setting them is calling or setting
 * the program's. Context: any thread, signal handlers. No allocation, no lock. */
#pragma once

#include <signal.h>

/* sigaction, as the program means it. */
int handler_relay_sigaction(int number, const struct sigaction *action, struct sigaction *old);

/* What another call (signal) has returned as a signal's handler: the program's. */
sighandler_t handler_relay_program(sighandler_t handler);

/* All handlers are called by the kernel again, as the program has set them. For a process that
 * seals itself, or is not measured any more. begin: it is measured (again); handlers that were set
 * before are relayed from now on, if it was libc that set them (a runtime that sets its own past
 * libc, as Go's does, may look at what the kernel has). One that runs at that moment is not. */
void handler_relay_end(void);
void handler_relay_begin(void);
