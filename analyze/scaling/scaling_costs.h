/* SPDX-License-Identifier: MIT */
/* Where the processor time p x T(p) of a run went: a row for each cause. All rows together are
 * exactly p x T(p): the last one is the remainder, which may be negative.
 *
 *   routine   CPU time of its own code, outside of MPI calls and of waits in the OpenMP runtime
 *   wait      waiting for an object, as in the section synchronization; not for threads or
 *             processes to end: who waits for them takes no place of its own
 *   mpi       time in the MPI call, polling or blocked
 *   region    of an OpenMP region: fork + wait + join, less waiting for locks
 *   serial    places without a thread while one works alone: OpenMP as TALP counts it,
 *             else (p - 1) x time with one thread alive
 *   absent    other places without a thread: some have ended, or have not begun yet
 *   blocked   off the processor in no wait that is seen: page faults, calls without a wrapper
 *   idle      waiting for work: events, connections, signals (idle_threads.h); never called a cause
 *   ready     ready for a processor, outside of waits
 *   rest      p x T(p) less all of these
 *
 * Context: pure but for names; nothing of the run is kept. */
#pragma once

#include "analyze/model/run/run.h"

enum cost_kind {
	COST_ROUTINE,
	COST_WAIT,
	COST_MPI,
	COST_REGION,
	COST_SERIAL,
	COST_ABSENT,
	COST_BLOCKED,
	COST_READY,
	COST_IDLE,
	COST_REST,
	COST_KINDS
};

struct scaling_cost {
	enum cost_kind kind;
	char *key;   /* figures.h; "" for kinds of one row */
	char *place; /* "insert (x.c:40)": of the routine or region; who caused most of a wait; who
			called MPI most. "": none */
	double time_ns;
	uint64_t samples; /* of a routine's time */
};

struct scaling_costs {
	struct scaling_cost *rows; /* by kind and key */
	size_t count, capacity;
};

/* In JSON: "routine", "wait", ... */
const char *cost_kind_name(enum cost_kind kind);
enum grade cost_kind_grade(enum cost_kind kind);

/* processor_ns: p x T(p). alone_ns: with one thread alive; NAN: unknown. Needs RUN_PATHS. */
struct scaling_costs scaling_costs_of(const struct run *run, double p, double processor_ns,
				      double alone_ns);
void scaling_costs_clear(struct scaling_costs *costs);
int scaling_cost_compare(const struct scaling_cost *a, const struct scaling_cost *b);

/* CPU time of the program's own code: that of all routines, outside of waits. */
double scaling_working_ns(const struct run *run);
