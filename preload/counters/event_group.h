/* SPDX-License-Identifier: MIT */
/* Events of a thread that the kernel counts at the same instants: a group of perf_event.
 *
 * One descriptor for a group stays open (event_numbers.h), by which any thread reads all of its
 * counts with one system call. The other events live by their mapped pages alone. Where the kernel
 * lets a thread read the processor's counters itself, the thread that counts does so by these
 * pages, without a system call.
 *
 * A group that the processor has too few counters for is split; the kernel lets its parts take
 * turns then. An event that cannot be counted is left out, and its row says why.
 *
 * Context: event_group_open in the thread that is to be counted, with its signals in any state; the
 * rest in any thread, one at a time for each group. errno is never changed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/counters/event_list.h"

struct perf_event_mmap_page;

/* By the kernel's own clocks: for how long it was to be counted, and was. */
struct event_reading {
	uint64_t count, enabled_ns, running_ns;
};

struct event_counter {
	const struct event_wish *wish;
	struct row_events *row;
	struct perf_event_mmap_page *page;
	struct row_event_counts *sums; /* of its thread; NULL: not yet */
	uint64_t page_bytes; /* mapped: with the ring of its own samples, if it has a period */
	struct event_reading last;
};

struct event_group {
	struct event_counter *counters;
	uint32_t count;
	int number;     /* of the descriptor; -1: none */
	bool is_direct; /* its thread reads it without a system call */
};

/* Opens as many of the wishes from `first` on as are one group, at most to `end`, and makes them
 * count. Returns the index of the first wish that is not in it; group->count 0: nothing could be
 * counted. */
uint32_t event_group_open(struct event_group *group, struct event_counter *counters, uint32_t first,
			  uint32_t end);

/* False: the counts cannot be read any more. is_own: the caller is the thread that is counted. */
bool event_group_read(const struct event_group *group, bool is_own,
		      struct event_reading readings[EVENT_GROUP_MOST]);

void event_group_close(struct event_group *group);
