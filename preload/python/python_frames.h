/* SPDX-License-Identifier: MIT */
/* The calling thread's Python frames, innermost first, in groups: what one call of the evaluation
 * loop on the C stack stands for. Own thread, any context; a chain that is damaged, or in the
 * middle of a change, ends early. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/python/python_find.h"
#include "preload/python/python_memory.h"

enum {
	PYTHON_GROUP_MOST = 256,      /* frames that are returned of a group */
	PYTHON_FRAMES_MOST = 1 << 12, /* of a chain, which may be a circle */
};

struct python_frames {
	const struct python_runtime *runtime;
	struct python_memory memory;
	uint64_t frame;  /* the next one; 0: none */
	uint64_t cframe; /* the next C frame, in versions that have them; 0: none */
	unsigned left;   /* frames that may still be followed */
};

struct python_group {
	uint64_t anchor; /* an address within the loop's frame on the C stack; 0: not known */
	uint32_t count;
	uint64_t place[PYTHON_GROUP_MOST];
};

/* state: the thread's, 0: it has none. texts: scratch memory; NULL: only the sum is wanted. */
void python_frames_begin(struct python_frames *frames, const struct python_runtime *runtime,
			 uint64_t state, struct python_texts *texts);

/* The next group; false: there is none. */
bool python_frames_next(struct python_frames *frames, struct python_group *group);

/* A sum of what the chain looks like: as long as it is the same, so are the frames. 0: there are
 * none. */
uint64_t python_frames_sum(struct python_frames *frames);
