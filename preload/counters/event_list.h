/* SPDX-License-Identifier: MIT */
/* The events to count, and the figures to be formed of them, as ptrace-run passes them on.
 *
 *   PTRACE_EVENTS   entries joined by ';': GROUP TYPE CONFIG CONFIG1 CONFIG2 FLAGS PERIOD UNIT
 * NAME, separated by one blank. GROUP and PERIOD decimal, the others of them hexadecimal, as in
 * struct perf_event_attr. FLAGS: enum event_wish_flags. PERIOD 0: the event is only counted.
 *   PTRACE_METRICS  entries joined by ';': NAME|UNIT|FORMULA|STEPS (table metrics)
 *
 * An entry that is not of this form is left out: a value set by hand must not end a program.
 * Context: event_list_read at start-up, event_list_write when a profile is opened; the rest from
 * any thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/file/schema.h"

enum { EVENTS_MOST = 32, EVENT_GROUP_MOST = 8 };

enum event_wish_flags {
	EVENT_WISH_NO_KERNEL = 1,
	EVENT_WISH_NO_USER = 2,
	EVENT_WISH_PRECISE = 0x30, /* precise_ip of struct perf_event_attr, times 16 */
};

struct event_wish {
	uint32_t type;
	uint32_t group;
	uint64_t config, config1, config2;
	uint64_t period; /* 0: it is only counted */
	uint32_t flags;
	uint32_t number; /* of its row; 0: it has none */
	const char *unit, *name;
};

/* Reads the two variables; NULL: not set. */
void event_list_read(const char *events, const char *metrics);

uint32_t event_list_count(void);
const struct event_wish *event_list_at(uint32_t index);

/* Makes the rows of a new profile. */
void event_list_write(void);

/* Its row; NULL: there was no room. */
struct row_events *event_list_row(uint32_t index);
