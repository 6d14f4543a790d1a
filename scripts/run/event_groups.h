/* SPDX-License-Identifier: MIT */
/* Which events are counted together.
 *
 * Events fill one group after the other, as many as the processor counts at once; what is added as
 * one set (the events of one formula) begins a new group where it does not fit into the open one as
 * a whole. Events of software have groups of their own: they take no counter, need not take turns,
 * and count where a processor's do not. So has each sampled event. An event that is there already
 * is not added once more. Pure, but for counter_budget_find. */
#pragma once

#include "event_code.h"

#include <stdbool.h>
#include <stddef.h>

/* How many events the processor can count at once. The kernel counts a group as a whole or not at
 * all, so a group that is too large is never counted.
 *
 * Assumed are 4 counters for any event, which all processors since 2008 have for each hardware
 * thread (fewer, if libpfm4 knows a smaller number). In addition, Intel's have a counter of its own
 * for each of cycles, instructions and ref-cycles. If the kernel's watchdog runs
 * (kernel.nmi_watchdog) it holds a counter for cycles: then cycles count like other events. */
struct counter_budget {
	int counters; /* for any event */
	bool has_fixed;
	bool is_watched; /* the watchdog holds the counter of cycles */
};

/* Of this machine. */
struct counter_budget counter_budget_find(void);

enum { EVENTS_MAX = 32, GROUP_EVENTS_MAX = 8 };

struct group_event {
	char name[EVENT_NAME_SIZE];
	struct event_code code;
	uint64_t period; /* 0: counted only */
	int group;       /* from 1 */
};

struct group_filled {
	int group, events, cost;
};

struct event_groups {
	struct counter_budget budget;
	struct group_event events[EVENTS_MAX];
	int count, group_count;
	struct group_filled hardware, software; /* the open ones; 0: none */
};

/* index[i] (NULL: not wanted) becomes that of set[i] in events. False: there would be more than
 * EVENTS_MAX. */
bool event_groups_add(struct event_groups *groups, const struct group_event *set, int count,
		      int *index);

/* One group of just these, whatever they need. False: more than EVENTS_MAX, or than
 * GROUP_EVENTS_MAX. */
bool event_groups_add_together(struct event_groups *groups, const struct group_event *set,
			       int count);

/* In the order of groups, and within a group as they were added: position[i] is the place of
 * events[i], from 1. */
void event_groups_order(const struct event_groups *groups, int position[EVENTS_MAX]);
