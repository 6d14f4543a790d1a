/* SPDX-License-Identifier: MIT */
/* Calls on descriptors of a fork child that is asleep (lifecycle.h). Most children read or write a
 * little and exec, and have no profile. What the others did until something woke them is kept here,
 * and counted when they have one: every call is in a row, only its time is in none. A call that is
 * about to wait wakes the process first, so that its wait is seen while it lasts.
 *
 * Context: any thread, signal handlers: each call has an entry of its own. errno is never
 * changed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/file/vocabulary.h"

/* An entry for the call that begins; NULL: none is left, or it is about to wait, so that the process
 * is to be woken. number: -1: there is none. */
struct early_call *early_call_begin(int number, enum cause cause, enum operation operation,
				    uint64_t caller);

/* It is over, or was none after all. number: what it was on, which may be known only now. */
void early_call_end(struct early_call *call, int number, int64_t result, uint64_t bytes);
void early_call_forget(struct early_call *call);
