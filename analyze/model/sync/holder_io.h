/* SPDX-License-Identifier: MIT */
/* Input and output, or other threads, that the holder of a lock waited for while it held the lock
 * and others waited for it. Context: pure. Nanoseconds. */
#pragma once

#include "preload/file/vocabulary.h"

#include <stddef.h>
#include <stdint.h>

struct sync_holder_io {
	uint64_t ns; /* at least so much, of the time that it is blamed for; 0: none is known */
	uint64_t most_ns; /* of that, where the following was the longest */
	size_t routine;   /* number in names: where it waited */
	unsigned line;
	size_t object; /* index in the objects: for what */
	enum operation operation;
};

/* The place is that of the one with the most. */
void sync_holder_io_add(struct sync_holder_io *into, const struct sync_holder_io *from);
