/* SPDX-License-Identifier: MIT */
/* An end of a pipe, a FIFO or a socket, as a process used it. Times in nanoseconds. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pipe_kind { PIPE_UNSEEN, PIPE_PIPE, PIPE_FIFO, PIPE_TCP, PIPE_UNIX, PIPE_KIND_COUNT };
enum pipe_direction { PIPE_READ, PIPE_WRITE, PIPE_DIRECTIONS };

struct pipe_flow {
	uint64_t calls, bytes;
	uint64_t waits, wait_ns; /* one that has not ended is in wait_ns */
	uint64_t life_ns;        /* of the threads that did so */
};

struct pipe_end {
	size_t process; /* index in run->processes */
	enum pipe_kind kind;
	char *name;             /* owned: of a FIFO its path, of sockets the address; else "" */
	uint64_t device, inode; /* of pipes and FIFOs */
	bool is_accepted;       /* of sockets: the server's */
	struct pipe_flow flows[PIPE_DIRECTIONS];
};
