/* SPDX-License-Identifier: MIT */
/* Page faults that a program need not have had: each page of its memory is met once, whatever the
 * program does; more faults mean that memory was given back and asked for again, or copied after a
 * fork. Context: pure. */
#pragma once

struct process;

/* How many, of one process: beyond the pages of its largest resident memory; 0 if that is not
 * known. */
double finding_repeated_faults(const struct process *process);
/* What so many take, in nanoseconds: at most what the calls leave of the system time, as kernels
 * that account by ticks do not split it any finer. */
double finding_fault_ns(double faults, double system_ns, double calls_ns);
