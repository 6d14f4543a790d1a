/* SPDX-License-Identifier: MIT */
/* A call that no sample can meet, since the timer stands still meanwhile (sample_pause.h), and that
 * takes CPU time nevertheless: fork, which copies the page tables of the process. What it took is
 * measured, and counted like a sample in the routine itself. Context: own thread, in a wrapper.
 * errno is never changed. */
#pragma once

#include <stdint.h>

#include "preload/stacks/site.h"
#include "preload/thread/thread.h"

/* Around the call itself, while the timer stands still; the second one in the same process. */
void sample_call_begins(struct thread *thread);
void sample_call_ended(struct thread *thread);
/* Counts it: of that routine, which the site called. thread may be NULL. */
void sample_call_count(struct thread *thread, uint64_t routine, const struct site *site);
