/* SPDX-License-Identifier: MIT */
/* Sections as whoever tells them calls them: of ptrace.h, of MPI_Pcontrol, of other tools' regions,
 * of routines that the user named. Context: any, also before start-up and in signal handlers; errno
 * stays. Nothing is counted of a thread that is not observed, or that a signal handler has
 * interrupted in the profiler. site: of the wrapper's caller. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "preload/stacks/site.h"

void section_call_begin(const char *name, const struct site *site);
/* The same of a routine that is called there: it is over when its frame is. */
void section_call_enter(const char *name, const struct site *site);
/* NULL: the innermost one. */
void section_call_end(const char *name, const struct site *site);
/* NULL: no phase from now on. */
void section_call_phase(const char *name, const struct site *site);
void section_call_mark(const char *name, int64_t value, const struct site *site);
void section_call_name(const void *address, size_t bytes, const char *name);
