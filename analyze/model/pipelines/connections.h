/* SPDX-License-Identifier: MIT */
/* Which processes were at the two ends of one pipe, FIFO or socket.
 *
 * Ends belong together if they are of the same host since the same start of it, of the same pipe
 * (device and inode) or address, and if their processes lived at the same time: numbers are used
 * again. Data stays in a pipe when its writer ends, so a reader may also begin up to
 * CONNECTION_GAP_NS later. There must be a writer, and a reader that is another process. A
 * connection by sockets is two: from the clients to the server, and back. Of several clients and
 * servers of one address it is not known who spoke to whom: they are in one connection. Context:
 * pure. Times in nanoseconds. */
#pragma once

#include "analyze/model/pipelines/pipe_ends.h"

struct process;

#define CONNECTION_GAP_NS 1000000000ull

/* What one side did. */
struct connection_side {
	size_t *ends; /* indices in the ends; owned */
	size_t count;
	struct pipe_flow sum; /* in this connection's direction */
};

struct connection {
	struct connection_side from, to; /* who writes, who reads */
	size_t pipeline;                 /* index, see pipelines.h */
};

struct connections {
	struct connection *rows;
	size_t count, capacity;
	size_t unmatched;        /* ends to which no other process of the run has the other one */
	uint64_t within_ns;      /* waits at ends both sides of which are in the run, perhaps in
				    one process */
	struct pipe_flow half;   /* at pipes and FIFOs of which one side only was seen */
	struct pipe_flow unseen; /* calls and bytes on descriptors that were not looked up */
};

struct connections connections_of(const struct pipe_ends *ends, const struct process *processes);
void connections_clear(struct connections *connections);

/* The same flow of an end: what it writes, or reads, in the connection. */
static inline enum pipe_direction connection_direction(bool is_writer)
{
	return is_writer ? PIPE_WRITE : PIPE_READ;
}
