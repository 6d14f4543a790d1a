/* SPDX-License-Identifier: MIT */
/* The longest times at which a thread was in a section, and what it did in them: table
 * section_longest. Context: own thread, is_busy. */
#pragma once

#include <stdint.h>

#include "preload/base/likely.h"
#include "preload/file/rows.h"

/* What a time in a section consists of. */
struct section_why {
	uint64_t cpu_ns, waited_ns;
	uint64_t wait_ns;   /* the longest wait; 0: none */
	uint32_t wait_path; /* and the rest of it */
	uint16_t wait_object;
	uint8_t wait_cause, wait_operation;
};

/* A wait that has ended. */
struct section_wait {
	uint64_t ns;
	uint32_t path;
	uint16_t object;
	enum cause cause;
	enum operation operation;
};

struct section_length {
	uint64_t number;   /* which one it was in its thread */
	uint64_t begin_ns; /* CLOCK_MONOTONIC */
	uint64_t ns;
	uint64_t faults;
	const struct section_why *why;
};

struct section_longest {
	struct row_hash rows;
	uint8_t count[SECTION_LIMIT];
	uint64_t least_ns[SECTION_LIMIT]; /* the shortest of those that are kept */
	struct row_section_longest *kept[SECTION_LIMIT][SECTION_LONGEST];
};

void section_longest_prepare(struct section_longest *longest, uint32_t owner);

/* The wait is a part of it; and a section within is. */
void section_why_waited(struct section_why *why, const struct section_wait *wait);
void section_why_add(struct section_why *why, const struct section_why *within);

/* One more: it is kept if fewer than SECTION_LONGEST are longer. */
void section_longest_keep(struct section_longest *longest, uint32_t section,
			  const struct section_length *length);

static inline void section_longest_look(struct section_longest *longest, uint32_t section,
					const struct section_length *length)
{
	if (unlikely(length->ns > longest->least_ns[section]))
		section_longest_keep(longest, section, length);
}
