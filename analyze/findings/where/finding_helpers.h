/* SPDX-License-Identifier: MIT */
/* The time that threads which are not idle (idle_threads.h) spent: what a rule counts as lost. If
 * threads have no rows of their own, none is known to be idle; of ranks only their work is counted
 * in the first place. Context: pure. */
#pragma once

struct process;
struct run;
struct thread_time;

/* A thread's time by causes (1 << enum cause), as finding_blocked_ns. */
typedef double (*finding_time_of)(const struct thread_time *time, unsigned causes);
/* Blocked for one of these causes. */
double finding_blocked_ns(const struct thread_time *time, unsigned causes);
double finding_ready_ns(const struct thread_time *time, unsigned causes);

/* The sum over the threads of a process that are not idle. */
double finding_working_ns(const struct process *process, finding_time_of time_ns, unsigned causes);
/* Spinning for spinlocks on processors, of waits that took so long. A thread that spins may lose
 * its processor: the wait lasts on while it is ready, but nothing is spun away. By each thread's
 * share of ready time, and never more than its CPU time; wait_ns if threads have no such waits. */
double finding_spun_ns(const struct run *run, double wait_ns);
/* The thread that was blocked longest for these causes, of processes that are no ranks; NULL:
 * unknown. */
const struct thread_time *finding_longest(const struct run *run, unsigned causes);
/* How long it was blocked for them; 0: unknown. */
double finding_longest_ns(const struct run *run, unsigned causes);
