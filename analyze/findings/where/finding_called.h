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
