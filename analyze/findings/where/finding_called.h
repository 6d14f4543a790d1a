/* SPDX-License-Identifier: MIT */
/* CPU time of samples in calls of the C library, by the places of the program that led there.
 * Context: pure but for names. Nanoseconds. */
#pragma once

#include "analyze/findings/where/finding_callers.h"

#include <stdbool.h>

struct run;

struct finding_called {
	struct finding_callers users;
	double cpu_ns, samples;
};

/* Samples behind whose last frame of the program's own code there is a routine of these, and no
 * frame of the profiler's own further inward. Release the users. */
struct finding_called finding_called_of(const struct run *run, bool (*is_call)(const char *name));
/* For is_call: is the name one of these, whatever underscores and "GI", "IO", "libc" before it? */
bool finding_is_named(const char *name, const char *const *names, size_t count);

/* What calls of the C library took of CPU time, by samples: fixed prices are for runs that
 * have too few of them. Nanoseconds. */

/* Samples whose frames behind the last one of the program's own code have a routine of these, so
 * that what the routine calls itself is included; without the profiler's own code. is_call: by the
 * name of the routine. is_of_stdio: only what stdio calls, or only what it does not. Returns 0 if
 * there are too few to tell (call_samples in finding_limits.def). */
double finding_sampled_ns(const struct run *run, bool (*is_call)(const char *name),
			  bool is_of_stdio);
