/* SPDX-License-Identifier: MIT */
/* Where a wrapped call came from: what is needed to walk the stack from the wrapper's caller. */
#pragma once

#include <stdint.h>

struct site {
	uint64_t caller; /* return address of the wrapper */
	uint64_t sp;     /* stack pointer of the caller */
	uint64_t fp;     /* frame pointer of the caller */
};

/* Only in a wrapper itself, compiled with frame pointers: the caller's one lies where ours points
 * to. */
#define SITE_HERE                                                                                  \
	(&(struct site){(uint64_t)__builtin_return_address(0), (uint64_t)__builtin_dwarf_cfa(),    \
			*(uint64_t *)__builtin_frame_address(0)})

#define CALLER_HERE ((uint64_t)__builtin_return_address(0))
