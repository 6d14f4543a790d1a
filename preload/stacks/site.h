/* SPDX-License-Identifier: MIT */
/* A site: where a wrapped call came from, and what is needed to walk the stack from there. The
 * words are defined in callpath.h. */
#pragma once

#include <stdint.h>

#include "preload/stacks/unwind.h"

struct site {
	uint64_t caller; /* return address of the wrapper */
	uint64_t sp;     /* stack pointer of the caller */
	uint64_t fp;     /* frame pointer of the caller */
	uint64_t inner;  /* where call paths begin, further out; 0: at the caller */
};

/* The place that the call is attributed to. */
static inline uint64_t site_place(const struct site *site)
{
	return site->inner ? site->inner : site->caller;
}

/* The frame at which a walk of the stack begins. */
static inline struct unwind_frame site_frame(const struct site *site)
{
	return (struct unwind_frame){.pc = site->caller, .sp = site->sp, .fp = site->fp};
}

/* Only in the wrapper itself, compiled with frame pointers: ours points to the caller's. */
#define SITE_HERE SITE_WITHIN(0)
#define SITE_WITHIN(inner)                                                                         \
	(&(struct site){(uint64_t)__builtin_return_address(0), (uint64_t)__builtin_dwarf_cfa(),    \
			*(uint64_t *)__builtin_frame_address(0), (uint64_t)(inner)})

#define CALLER_HERE ((uint64_t)__builtin_return_address(0))
