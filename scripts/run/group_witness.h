/* SPDX-License-Identifier: MIT */
/* Was a signal sent to this process alone, or to its process group? The kernel does not tell a
 * receiver. So there is a witness: a process of the same group, which has all signals blocked.
 *
 * This is exact, because the kernel signals a group from its newest member to its oldest: what has
 * come to this process has come to the witness before. A second witness, outside of the group,
 * tells when somebody signals each process of that kind for itself (`kill $(pidof ptrace-run)`).
 *
 * Both share this process's memory, so that starting one costs 12 us and no page table is copied.
 * They sleep, and die with this process. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <time.h>

/* Before the program's process is made. All signals must be blocked. */
void group_witness_prepare(void);

/* In the program's process before it executes the program, in the memory of its parent: a signal
 * to the group that comes before reaches only the parent, and is no signal for the group. If there
 * is no room for a process, there is no witness. */
void group_witness_begin(void);

bool group_witness_is_there(void);

/* As sigtimedwait for any signal, and says whether it was sent to the process group. Returns 0 when
 * the time is over, and -1 for nothing. Without a witness no signal is for the group. */
int group_witness_await(siginfo_t *signal, const struct timespec *limit, bool *is_for_group);

void group_witness_end(void);
