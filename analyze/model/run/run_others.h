/* SPDX-License-Identifier: MIT */
/* What other programs took of the processors that the run could use, measured: the processors' time
 * that was neither idle nor the run's own.
 *
 *     others = processors x elapsed - idle - stolen - own CPU time       at least 0
 *
 * Idle and stolen time (taken by the host of a virtual machine) are as the kernel counted them
 * while ptrace-run waited for the program; own CPU time is that of ptrace-run and of all processes
 * that it and its children waited for, profiled or not, or the sum over the profiles if that is
 * larger. These counts are of a longer time than the run's, and are scaled to it: never more than
 * its processors had beside its own CPU time. Busy time is not taken from the user and system counters, since most kernels account
 * these by ticks: a program that works between the ticks would use nothing. What the kernel did in
 * interrupts or in threads of its own counts as others', whoever caused it.
 *
 * Unknown (NAN) if the kernel was not asked (processors_used.h); if a process lived longer than the
 * interval, or found more processors than the program was started with; if the kernel's counts do
 * not cover the interval (containers show zeros instead). Context: pure. Nanoseconds. */
#pragma once

#include <stdbool.h>

struct run;

struct run_others {
	double others_ns; /* estimated, within error_ns */
	double stolen_ns;
	double error_ns; /* the kernel counts idle and stolen time in ticks, for each processor */
};

struct run_others run_others_of(const struct run *run);
/* Is the run on one host, within the time for which the kernel was asked? */
bool run_others_covers(const struct run *run);
/* Time of others on processors of the run; NAN: unknown. */
double run_others_ns(const struct run *run);
