/* SPDX-License-Identifier: MIT */
/* What the processors did while the program ran, for whichever program: processors.json.
 *
 * From /proc/stat, read before the program starts and when it has ended, for the processors that it
 * may use then by its affinity. The kernel counts in ticks of 1/USER_HZ s: each figure may be too
 * small by one tick per processor. The file also has the CPU time of ptrace-run and of all
 * descendants that were waited for, profiled or not, and that of the descendants alone. It is not written if the kernel does not tell,
 * nor below a launcher of ranks. Context: ptrace-run; failing is silent, since the program has
 * run. */
#pragma once

void processors_used_begin(void);
/* directory: of the run, open. */
void processors_used_end(int directory);
