/* SPDX-License-Identifier: MIT */
/* Routines that the kernel may call as handlers, each of which knows its number: so a handler of
 * the program's has an address of ours of its own, and whoever calls that address calls it. No
 * allocation, no lock. */
#pragma once

#include <stdint.h>

#include "preload/process/sample_signal.h"

enum { RELAY_ENTRIES = 128 };

sample_signal_handler *relay_entry(unsigned index);

/* Its index; -1: it is none. */
int relay_entry_of(sample_signal_handler *handler);

/* Called by all of them (handler_relay.c). callers_sp: the stack pointer of who has called. */
void relay_entered(unsigned index, uint64_t callers_sp, int number, siginfo_t *info, void *context)
	__attribute__((visibility("hidden")));
