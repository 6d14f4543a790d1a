/* SPDX-License-Identifier: MIT */
/* What calls of the C library took of CPU time, by samples: fixed prices are for runs that have too
 * few of them. Context: pure but for names. Nanoseconds. */
#pragma once

#include <stdbool.h>

struct run;

/* Samples whose frames behind the last one of the program's own code have a routine of these, so
 * that what the routine calls itself is included; without the profiler's own code. is_call: by the
 * name of the routine. What stdio calls is left out. Returns 0 if there are too few to tell
 * (call_samples in finding_limits.def). */
double finding_sampled_ns(const struct run *run, bool (*is_call)(const char *name));
