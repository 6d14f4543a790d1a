/* SPDX-License-Identifier: MIT */
/* From why to where: which process, thread, routine or object has most of what is lost.
 *
 * There are three hierarchies: processes and their threads, places in the code, and objects. In
 * each of them a rule descends as long as a single one has most of the loss; if none has, the step
 * is kept as one that is spread, and refinement ends there. Shares are of the whole loss. Context:
 * pure but for names. */
#pragma once

#include "analyze/findings/where/finding.h"
#include "analyze/findings/where/finding_shares.h"

#include <stdbool.h>
#include <stdint.h>

struct merged_place;
struct process;
struct run;

struct sync_row;
struct thread_time;

/* Takes ownership of name. Returns true if it has most of the loss. */
bool finding_add_step(struct finding *finding, enum finding_level level, char *name, double part,
		      double whole, size_t among);

#define FINDING_CAUSE(cause) (1u << CAUSE_##cause)
/* What another thread ends when it has done something. */
#define FINDING_WOKEN (FINDING_CAUSE(CONDITION) | FINDING_CAUSE(SEMAPHORE) | FINDING_CAUSE(FUTEX))

/* A step named after its place: "f (x.c:12)". */
bool finding_add_place(struct finding *finding, enum finding_level level, const struct run *run,
		       const struct merged_place *place, double part, double whole, size_t among);
/* The same of a routine. */
bool finding_add_routine(struct finding *finding, const struct run *run, size_t routine,
			 unsigned line, double part, double whole, size_t among);
/* The finding tells all that there is to tell of the waits for this object. */
void finding_tell_object(struct finding *finding, size_t object);
/* The thread of a process that has this number; NULL: none. */
const struct thread_time *finding_thread_of(const struct process *process, uint64_t tid);
/* A name in brackets is no code: the profiler itself, waits without a place, or many places
 * aggregated. */
bool finding_is_code(const struct run *run, size_t routine);
/* For rules on objects: a place takes part in the loss, if it is one. */
void finding_share_place(struct finding_shares *shares, const struct run *run, size_t routine,
			 unsigned line, double part);
/* Add the routine, or object of the synchronization, that has most, and release the shares. The
 * whole of routines may be more than what is known of their places. */
void finding_add_shared_routine(struct finding *finding, const struct run *run,
				struct finding_shares *routines, double whole);
void finding_add_shared_object(struct finding *finding, const struct run *run,
			       struct finding_shares *objects);
/* Adds process and thread, by the time that time_ns returns for threads. Idle threads have no part
 * in it. */
void finding_add_threads(struct finding *finding, const struct run *run,
			 double (*time_ns)(const struct thread_time *time, unsigned causes),
			 unsigned causes);
/* For the threads that are not idle and were blocked for one of these causes: how long, and how
 * long they were ready in their whole lives. If threads have no rows, all threads of their
 * process; if none was blocked, how long all of them were ready: any may have been in such a wait.
 */
struct finding_waiters {
	double blocked_ns, ready_ns;
	enum grade grade; /* of both */
};
struct finding_waiters finding_waiters_of(const struct run *run, unsigned causes);
/* What would be gained if nobody waited, of waits of this length: a wait lasts until the thread
 * runs again, so a thread that is woken and gets no processor is ready for the rest of it. Blocked
 * time (in these waits) is due to the cause itself; what was neither blocked nor can have been
 * ready was on a processor: spinning, or falling asleep. */
double finding_lost_of(const struct finding_waiters *waiters, double blocked_ns, double wait_ns);
/* Of the rows for which is_of is true: the routine that waited longest for all of their objects
 * together, and the object that was waited for longest. */
void finding_add_objects(struct finding *finding, const struct run *run,
			 bool (*is_of)(const struct run *run, const struct sync_row *row,
				       unsigned causes),
			 unsigned causes);
