/* SPDX-License-Identifier: MIT */
/* One frame of a running program: what it does now, and what changed since the frame before.
 *
 * Every figure is of the interval between two readings of the process that it belongs to; at the
 * first reading of a process, of its whole life until then. Grades:
 *
 *   CPU, ready    exact to the kernel's tick: the thread's schedstat. Where that cannot be read
 * (the process has ended, another host) the profile's row, which is as old as the last sample or
 * wait: a row that did not change says nothing, and the figure is unknown blocked       the rest of
 * the interval, so that running + ready + blocked = the interval present wait  exact: the thread's
 * row says since when state         exact, but for "ready" (the kernel calls it running): estimated
 *   waits         exact: those that ended, and of those under way the part up to now
 *   routines      sampled
 *   T_i           of the process with most CPU time; exact where switch records saw all of it
 *                 and agree with the CPU clocks; otherwise estimated
 *   holder        of the instant at which the lock was looked at
 *   counts        exact: what the profile's rows grew by
 *
 * Context: data; texts of threads and the status belong to the frame, the others to live.h. */
#pragma once

#include "analyze/live/live_counts.h"
#include "analyze/live/live_sums.h"
#include "analyze/live/live_trail.h"
#include "analyze/model/common/grade.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIVE_LEVELS 65 /* T_0 to T_63; the last one has all higher ones */

enum live_state {
	LIVE_RUNNING, /* on a processor */
	LIVE_READY,   /* waits for a processor */
	LIVE_WAITING, /* in a wrapped call */
	LIVE_IDLE,    /* so for IDLE_NS or longer, and for nothing that another thread holds */
	LIVE_BLOCKED, /* off the processor, in no call that is known */
	LIVE_STOPPED,
	LIVE_ENDED,
	LIVE_UNKNOWN,
};

struct live_thread {
	uint64_t pid, tid, rank; /* rank: UINT64_MAX if it is none */
	uint64_t birth_ns;
	char *name;
	enum live_state state;
	bool is_known;        /* the four times below */
	uint64_t interval_ns; /* running + ready + blocked */
	uint64_t running_ns, ready_ns, blocked_ns;
	/* the present wait; cause 0: in none */
	uint64_t cause, waiting_ns;
	char *object, *place; /* NULL: not known */
	uint64_t holder_tid;  /* 0: not known, or nobody */
	bool is_holder_refused;
	struct live_counts grown;  /* in the time since the reading before */
	uint64_t grown_ns;         /* which is so long; 0: there was none */
	bool has_io;               /* calls on descriptors are counted */
	bool is_server;            /* its process has answered requests */
	uint8_t cells[LIVE_CELLS]; /* live_trail.h */
};

/* A routine, a wait, a call of MPI, an object of input and output: see enum live_what. */
struct live_row {
	enum live_what what;
	const char *cause, *name, *place; /* NULL: has none */
	const char *blamed;               /* of a wait: who kept them waiting most, or NULL */
	uint64_t blamed_ns;
	uint64_t values[LIVE_VALUES]; /* what they grew by */
};

struct live_levels {
	uint64_t on_ns[LIVE_LEVELS], useful_ns[LIVE_LEVELS]; /* T_i */
	uint64_t unseen_ns; /* what no switch record saw, also where levels are not known */
	bool is_calibrated; /* they were brought into agreement with the CPU clocks */
};

struct live_process {
	uint64_t pid, rank, parent_pid, start_ns;
	const char *command, *host;
	uint64_t pid_namespace;
	char *status;            /* "running", "exited 0" */
	bool is_alive, is_fresh; /* is_fresh: read for this frame */
	uint64_t interval_ns, cpu_ns, mpi_ns, threads;
	struct live_counts grown; /* in the interval, of all its threads */
	bool has_io, is_server;
};

struct live_frame {
	const char *command, *directory;
	char *status;
	bool is_over; /* nothing more will change */
	uint64_t elapsed_ns, interval_ns, processors;
	uint64_t process_count; /* rows of processes: those that were read at some time */
	uint64_t known_count, alive_count, read_count;
	uint64_t thread_count, running_count, ready_count, waiting_count; /* of those that live */
	uint64_t cpu_ns; /* of all processes that were read */
	struct live_levels levels, minute;
	uint64_t minute_ns, minute_cpu_ns;
	struct live_thread *threads;
	size_t thread_rows, thread_capacity;
	struct live_row *rows; /* by what, the largest growth first */
	size_t row_count, row_capacity;
	size_t rows_left_out;
	struct live_process *processes;
	const char *problem; /* NULL, or why something is missing */
};
