/* SPDX-License-Identifier: MIT */
/* Records of an event's own samples: an event with a period has the kernel write one for each so
 * many times that it happened, with the address at which it did.
 *
 * No signal is sent, as a signal may reach its thread in a system call, which then fails with
 * EINTR: the records wait in the event's ring until the thread's next sample, or its end, takes
 * them. Context: any thread, one at a time for each ring. */
#pragma once

#include <stdint.h>

#include "preload/counters/event_group.h"

/* Takes up to `most` addresses out of the ring; *lost: records that the kernel had no room for.
 * Returns how many. Fewer than `most`: there are no more. */
uint32_t event_records_take(const struct event_counter *counter, uint64_t *addresses, uint32_t most,
			    uint64_t *lost);
