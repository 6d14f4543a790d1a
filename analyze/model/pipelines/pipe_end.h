/* SPDX-License-Identifier: MIT */
/* An end of a pipe, a FIFO or a socket, as a process used it. Times in nanoseconds. */
#pragma once

#include "analyze/tables/merged.h"

enum pipe_kind { PIPE_UNSEEN, PIPE_PIPE, PIPE_FIFO, PIPE_TCP, PIPE_UNIX, PIPE_KIND_COUNT };
enum pipe_direction { PIPE_READ, PIPE_WRITE, PIPE_DIRECTIONS };

/* Columns: merged.def. name: owned: of a FIFO its path, of sockets the address; else "". flows: by
 * direction; a wait that has not ended is in wait_ns. */
struct pipe_end {
	struct merged_pipe_ends;
};
