/* SPDX-License-Identifier: MIT */
/* What a program pays for asking the kernel for memory and giving it back, again and again: calls
 * (mmap, munmap, madvise, brk), the faults at pages that come back, and waits for the lock that all
 * threads of a process share for it. Context: pure but for names. Nanoseconds. */
#pragma once

#include "analyze/findings/where/finding_called.h"

struct process;

struct finding_maps {
	struct finding_called calls; /* none: there are too few samples in them */
	double faults, fault_ns;     /* of repeated ones */
	double blocked_ns;           /* of working threads */
};

/* Release calls.users. */
struct finding_maps finding_maps_of(const struct run *run);
/* Of what threads are blocked for and no wrapper sees, the part for that lock. */
double finding_maps_blocked_ns(const struct run *run);

/* Page faults that a program need not have had: each page of its memory is met once, whatever
 * the program does; more faults mean that memory was given back and asked for again, or copied
 * after a fork. */

/* How many, of one process: beyond the pages of its largest resident memory; 0 if that is not
 * known. */
double finding_repeated_faults(const struct process *process);
/* What so many take, in nanoseconds: at most what the calls leave of the system time, as kernels
 * that account by ticks do not split it any finer. */
double finding_fault_ns(double faults, double system_ns, double calls_ns);
