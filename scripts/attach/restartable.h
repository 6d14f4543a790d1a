/* SPDX-License-Identifier: MIT */
/* Restartable sequences (rseq(2)): a thread that was off its processor within one has to begin it
 * anew. The kernel sees to that when the thread goes on, by the place where it stands and by what
 * it has registered. A call that is put upon it in between hides both: behind the call the kernel
 * sees none, and the thread would end a sequence that others have overtaken. */
#pragma once

#include "registers.h"

#include <sys/types.h>

/* The registers of a stopped thread that something is about to be done to: within a sequence they
 * become those with which the kernel would have let it go on. It knows none before Linux 5.13. */
void restartable_abort(pid_t process, pid_t thread, registers_general *general);
