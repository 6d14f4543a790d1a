/* SPDX-License-Identifier: MIT */
/* The ends of pipes, FIFOs and sockets that each process of a run used: what it read from each, and
 * wrote to it, and how long its threads waited for that.
 *
 * A pipe is known by device and inode, a socket by the address of its server, on either side. Who
 * only holds a descriptor has no end: an end is where bytes were read or written, or a thread
 * waited to. Descriptors that were never looked up (used a few times, and never waited for), and
 * ends beyond PIPE_ENDS_MAX of a process, are in one row of it without a name. splice and tee name
 * the end that they read from, sendfile the one that it writes to: their other end is not known.
 * Accumulator as in accumulator.h. Context: pure. Times in nanoseconds. */
#pragma once

#include "analyze/model/pipelines/pipe_end.h"

struct process;
struct profile;
struct merged_writer;
struct merged_input;

#define PIPE_ENDS_MAX 32

struct pipe_ends {
	struct pipe_end *rows; /* in the order of the processes */
	size_t count, capacity;
};

struct pipe_ends_accumulator;

struct pipe_ends_accumulator *pipe_ends_accumulator_create(void);
/* The threads of the process have rows yet. */
void pipe_ends_accumulator_add(struct pipe_ends_accumulator *accumulator,
			       const struct profile *profile, const struct process *process);
void pipe_ends_accumulator_write(const struct pipe_ends_accumulator *accumulator,
				 struct merged_writer *writer);
void pipe_ends_accumulator_read(struct pipe_ends_accumulator *accumulator,
				const struct merged_input *input);
struct pipe_ends pipe_ends_accumulator_finish(struct pipe_ends_accumulator *accumulator);
void pipe_ends_clear(struct pipe_ends *ends);
