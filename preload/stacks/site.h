/* SPDX-License-Identifier: MIT */
/* Where a wrapped call came from: what is needed to walk the stack from the wrapper's caller. */
#pragma once

#include <stdint.h>

#include "preload/stacks/unwind.h"

struct site {
	uint64_t caller; /* return address of the wrapper */
	uint64_t sp;     /* stack pointer of the caller */
	uint64_t fp;     /* frame pointer of the caller */
	uint64_t inner;  /* call paths begin at this return address, which is further out; 0: at
			    the caller */
};

/* The place that the call belongs to. */
static inline uint64_t site_place(const struct site *site)
{
	return site->inner ? site->inner : site->caller;
}

/* Where a walk of the caller's stack begins. */
static inline struct unwind_frame site_frame(const struct site *site)
{
	return (struct unwind_frame){.pc = site->caller, .sp = site->sp, .fp = site->fp};
}

/* Only in a wrapper itself, compiled with frame pointers: the caller's one lies where ours points
 * to. */
#define SITE_HERE SITE_WITHIN(0)
#define SITE_WITHIN(inner)                                                                         \
	(&(struct site){(uint64_t)__builtin_return_address(0), (uint64_t)__builtin_dwarf_cfa(),    \
			*(uint64_t *)__builtin_frame_address(0), (uint64_t)(inner)})

#define CALLER_HERE ((uint64_t)__builtin_return_address(0))
