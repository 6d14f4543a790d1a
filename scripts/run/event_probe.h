/* SPDX-License-Identifier: MIT */
/* Can an event be counted on this machine? By opening it on ptrace-run itself. */
#pragma once

#include "event_code.h"

enum event_state {
	EVENT_WORKS,
	EVENT_FOR_USER, /* the kernel may not be counted: what the program's own code does is */
	EVENT_REFUSED,
};

enum event_state event_probe(const struct event_code *code);

/* Why the processor's counters cannot be used at all, and what could be done; NULL: they can. */
const char *event_probe_obstacle(char *text, unsigned long size);

/* Why what the kernel does for a program is not counted, and what could be done; NULL: it is. */
const char *event_probe_restriction(char *text, unsigned long size);
