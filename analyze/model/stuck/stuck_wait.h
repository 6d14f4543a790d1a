/* SPDX-License-Identifier: MIT */
/* Which waits of a run can never end, and why.
 *
 * Every thread that lived when the profiles were read (or when the process was killed) is in one of
 * these states:
 *
 *   runs     in no wait, or its wait ended between two readings
 *   idle     it waits for events, connections or signals, or for input and output that lead out of
 *            the run: whoever may end that is not seen, and it is accused of nothing
 *   limited  its wait has a time limit, as a sleep has
 *   waits    for somebody who can go on
 *   stuck    nobody who could end its wait can go on (stuck_graph.h)
 *
 * Processes that live are read twice, 0.2 s apart, if something looks stuck: a wait that has ended
 * meanwhile is none, and the holder of a lock is read from the lock itself. Otherwise the holder is
 * the one that the thread saw when its wait began. Times in nanoseconds. */
#pragma once

#include "analyze/model/common/names.h"

enum stuck_state { STUCK_RUNS, STUCK_IDLE, STUCK_LIMITED, STUCK_WAITS, STUCK_STUCK };

/* How it is known whom a wait is for. */
enum stuck_source {
	STUCK_UNKNOWN,   /* it is not: anybody */
	STUCK_AT_BEGIN,  /* the lock's holder when the wait began */
	STUCK_MEMORY,    /* the lock's holder now, read from the lock */
	STUCK_ARGUMENTS, /* the call says so: a thread to join, a rank, a collective call */
	STUCK_ENDS,      /* who has the other end of a pipe open, or used it; children */
};

/* One thread. */
struct stuck_wait {
	size_t process; /* index in run->processes */
	uint64_t rank;  /* MPI_NO_RANK: none */
	uint64_t job;
	uint64_t tid;
	const char *name;
	enum cause cause;
	enum operation operation;
	uint64_t since_ns;  /* 0: in no wait */
	uint64_t wait_ns;   /* until it was read, or the process ended */
	const char *call;   /* "pthread_mutex_lock", "MPI_Recv" */
	const char *object; /* "mutex table_lock"; "" if there is none */
	const char *place; /* where it waits; of one that runs: where it spent most CPU time; may be
			      NULL */
	enum stuck_state state;
	enum stuck_source source;
	uint64_t *
		others; /* indices of the threads that it is for, as far as they are known; owned */
	size_t other_count, other_capacity;
	bool is_certain;      /* others are all who could end it */
	bool is_shared;       /* a lock that processes share, as it says itself */
	bool is_elsewhere;    /* its holder is a thread of another process */
	bool is_held_by_dead; /* what it waits for belongs to a thread, or rank, that has ended */
	bool has_moved;       /* since the first reading */
	bool is_helper;       /* of the MPI library: it ends nobody's wait but the library's own */
	uint64_t used_ns;     /* CPU time between two readings */
	/* what else is known of the wait */
	uint64_t address, mutex, holder, readers;
	uint64_t object_kind, device, inode, participants;
	bool is_writing;                                             /* of a pipe: to it */
	uint64_t peer, tag, requests, instance, sequence, comm_size; /* of MPI: see schema.def */
	uint32_t pid_here; /* 0: it does not live, or is not to be looked at */
	const char *path;  /* of the profile */
};

enum stuck_kind {
	STUCK_SELF,       /* it holds what it waits for */
	STUCK_CYCLE,      /* each waits for the next one */
	STUCK_ORPHAN,     /* who would have to end it has ended */
	STUCK_COLLECTIVE, /* a collective call that ranks which are stuck did not enter */
	STUCK_BARRIER,    /* fewer came than it was made for, and nobody is left to come */
	STUCK_WAKE_UP,    /* nobody is left who could signal */
	STUCK_NOBODY,     /* the same of other objects */
	STUCK_KINDS
};

struct stuck_verdict {
	enum stuck_kind kind;
	bool is_certain;
	size_t *waits; /* indices: of a cycle in its order; owned */
	size_t count;
	char *text; /* owned */
};

struct stuck {
	struct stuck_wait *waits; /* of living threads, in the order of processes */
	size_t count, capacity;
	struct stuck_verdict *verdicts;
	size_t verdict_count, verdict_capacity;
	size_t stuck_count; /* threads */
	bool is_live;       /* some process lives, and was looked at twice */
	size_t merged;      /* processes of merged runs, of whose threads nothing is known */
};

/* ---- what is gathered of all profiles, before it is judged */

/* One process. */
struct stuck_process {
	bool is_known; /* its threads are */
	uint64_t rank, job, size;
	uint32_t pid_here;
	size_t threads; /* of it in `waits` */
};

/* An end of a pipe that it used. */
struct stuck_pipe {
	size_t process;
	uint64_t device, inode;
	bool is_writing;
};

/* A communicator of it, and how many collective calls it made on those of that row. */
struct stuck_comm {
	size_t process;
	uint64_t identity, collectives;
};

struct stuck_facts {
	struct stuck_process *processes; /* by index in run->processes */
	size_t process_count, process_capacity;
	struct stuck_pipe *pipes;
	size_t pipe_count, pipe_capacity;
	struct stuck_comm *comms;
	size_t comm_count, comm_capacity;
};
