/* SPDX-License-Identifier: MIT */
/* What the processors did while the program ran, whoever used them: processors.json.
 *
 * /proc/stat, read before the program starts and when it has ended, of the processors that it may
 * use by its affinity then. The kernel tells in ticks of 1/USER_HZ s: each figure may be one tick
 * too low, for each processor. With them goes the CPU time of ptrace-run and of all processes below
 * it that were waited for, profiled or not. Not written where the kernel does not tell, and not
 * below a launcher of ranks. Context: ptrace-run; failing is silent, for the program has run. */
#pragma once

void processors_used_begin(void);
/* directory: of the run, open. */
void processors_used_end(int directory);
