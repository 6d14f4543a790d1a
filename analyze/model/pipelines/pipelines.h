/* SPDX-License-Identifier: MIT */
/* Processes that pass data to each other, as stages of pipelines: what each did with its time, and
 * for whom the others waited.
 *
 * A pipeline is a set of processes that connections (connections.h) join, directly or through
 * others; its stages are in the order in which data flows, as far as there is one. Of a stage, as
 * parts of the elapsed time of its process:
 *
 *   busy     one or more of its threads were on a processor (T - T_0)
 *   ready    no thread was, since no processor was free
 *   read     waiting to read from other stages: the pipe is empty
 *   write    waiting to write to them: the pipe is full
 *   events   waiting in poll, select, epoll_wait or accept: for which descriptor is not known
 *   outside  other waits for input and output: files, pipes and sockets that lead out of the run
 *   other    the rest: sleep, locks, waiting for children, page faults
 *
 * In a process with one thread they are all of its time: read and write are what it was blocked
 * for, at most the time of its waits at these ends; a wait lasts until the thread runs again, but
 * what is ready in between is in ready. With several threads read and write are shares of the lives
 * of the threads that used the end, of the end with the largest share; events are those of the
 * thread that waited longest; ready, outside and other are not known (NAN).
 *
 * Context: pure. Times in nanoseconds. */
#pragma once

#include "analyze/model/common/grade.h"
#include "analyze/model/pipelines/connections.h"

struct process;

/* Of a stage that another one waited for. */
struct stage_waiter {
	size_t stage; /* index; SIZE_MAX: none */
	double ns;    /* of the elapsed time of that one */
};

struct stage {
	size_t process;  /* index in run->processes */
	size_t pipeline; /* index */
	unsigned depth;  /* how many stages are in front of it at most */
	double elapsed_ns;
	double busy_ns, ready_ns, read_ns, write_ns, events_ns, outside_ns, other_ns;
	double wanting_ns; /* busy, or ready: of several threads at most so long */
	/* What of the waits at its ends was blocked, in each direction: 0 to 1. */
	double blocked[PIPE_DIRECTIONS];
	enum grade grade;          /* of its times, but busy of one thread, and ready */
	bool has_source, has_sink; /* another stage writes to it, reads from it */
	/* Who waited longest to write to it, to read from it, and for events with it as the only
	 * other stage. */
	struct stage_waiter writer, reader, watcher;
};

enum pipeline_verdict {
	PIPELINE_BALANCED,    /* no stage keeps others waiting while it does not wait itself */
	PIPELINE_ALTERNATING, /* of two: each works while the other waits */
	PIPELINE_BUSY,        /* the slow stage is on a processor, or wants to be */
	PIPELINE_OUTSIDE,     /* it waits for input or output of its own */
	PIPELINE_ITSELF,      /* it sleeps, or waits within itself */
	PIPELINE_VERDICTS
};

struct pipeline {
	size_t first, count; /* its stages */
	size_t connections;
	double elapsed_ns; /* from the begin of the first process to the end of the last */
	double wait_ns;    /* of all ends in their connections */
	enum pipeline_verdict verdict;
	size_t slow; /* index of the slow stage; SIZE_MAX: none */
};

struct pipelines {
	struct pipe_ends ends;
	struct connections connections; /* those of one pipeline follow one another */
	struct stage *stages;
	size_t stage_count;
	struct pipeline *rows; /* the most waiting first */
	size_t count;
};

/* Takes ownership of the ends. */
struct pipelines pipelines_of(struct pipe_ends ends, const struct process *processes,
			      size_t process_count);
void pipelines_clear(struct pipelines *pipelines);

/* How long the stage was blocked at the end, in the elapsed time of its process. */
double stage_flow_wait_ns(const struct stage *stage, const struct pipe_end *end,
			  enum pipe_direction direction);

/* How long another stage waited for this one; whose is the longest wait. */
struct stage_waiter stage_waited_for(const struct stage *stage);
/* How long it waited for other stages, events included. */
double stage_own_wait_ns(const struct stage *stage);
