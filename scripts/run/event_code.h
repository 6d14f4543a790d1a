/* SPDX-License-Identifier: MIT */
/* What the kernel is asked to count: the fields of struct perf_event_attr that an event's name
 * decides. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { EVENT_NAME_SIZE = 128 };

enum event_flag {
	EVENT_WITHOUT_KERNEL = 1, /* exclude_kernel, ":u" */
	EVENT_WITHOUT_USER = 2,   /* exclude_user, ":k" */
	EVENT_PRECISE_SHIFT = 4,  /* precise_ip, 0 to 3 */
};

struct event_code {
	uint32_t type;
	uint32_t flags; /* enum event_flag */
	uint64_t config, config1, config2;
};

/* Does the kernel count it, without a counter of the processor? */
bool event_code_is_software(const struct event_code *code);

/* A clock, in nanoseconds, whatever kernel or user does? */
bool event_code_is_clock(const struct event_code *code);

/* Does it happen in the kernel alone? Then it is never counted where only the user may be. */
bool event_code_is_kernels(const struct event_code *code);

bool event_code_equal(const struct event_code *a, const struct event_code *b);
