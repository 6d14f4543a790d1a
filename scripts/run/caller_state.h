/* SPDX-License-Identifier: MIT */
/* What the caller of ptrace-run has set for the program, while ptrace-run needs it otherwise for
 * itself.
 *
 * Standard files that are closed: a file of ours with such a number would be taken for one of them.
 * The dispositions of SIGCHLD (if it is ignored, there is no status to wait for) and SIGXFSZ (a
 * limit of file sizes must not end us). A limit of descriptors that leaves too few. Interval
 * timers, which a process keeps over exec: `alarm 10; exec ptrace-run ...` means the program. */
#pragma once

/* To be called first in main. */
void caller_state_keep(void);

/* In the process that becomes the program, right before exec; also in a vfork child: system calls
 * only, and no memory is changed. */
void caller_state_give_back(void);
