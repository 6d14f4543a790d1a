/* SPDX-License-Identifier: MIT */
/* What a descriptor of another process is, as far as it says when a read of it ends. Looks, and
 * touches nothing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct descriptor_facts {
	mode_t type;    /* S_IFMT of the file; 0: not known */
	bool is_stream; /* a socket whose data has no borders */
	bool is_terminal;
	bool is_timed;  /* a read of the terminal has a time-out, after each byte or altogether */
	bool is_filled; /* a read ends when all is there that was asked for: /dev/zero */
	uint64_t least; /* so many bytes at least a read waits for */
};

/* As the thread has it: it may have descriptors of its own. What the kernel does not show is taken
 * for what is usual: no stream, and one byte. */
void descriptor_facts_read(struct descriptor_facts *facts, pid_t process, pid_t thread, int number);
