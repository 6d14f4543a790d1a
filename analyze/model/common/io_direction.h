/* SPDX-License-Identifier: MIT */
/* Which calls are input and output, and which way their bytes go: the one table behind the section
 * `io` and its sums. A wait is in that section if its operation is listed here, and otherwise in
 * the section `synchronization`, so that none is in both. Context: pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum io_direction {
	IO_NOT_IO,
	IO_READ,    /* into the program's memory */
	IO_WRITTEN, /* out of it */
	IO_MOVED,   /* from one descriptor to another: through no memory of the program */
	IO_WITHOUT, /* no bytes: it waits, opens, locks, or writes out what was written before */
};

enum io_direction io_direction_of(uint64_t operation);
bool io_is_io(uint64_t operation);
