/* SPDX-License-Identifier: MIT */
/* A program whose work a handler interrupts at exactly one instruction, and what was done in it:
 * the truth.
 *
 * NAME OPERATION DISTANCE [MOST]
 * NAME OPERATION HANDLER PLACE:TIME:DEPTH...   some of these processes alone, as their lines say
 *
 * A process of its own for each place. Of the places of the operation every DISTANCE-th is taken,
 * by each handler another one; MOST: so few for each handler, and those alone to which the work
 * comes in a hurry. The operation is repeated afterwards; nothing disturbs that. Handlers:
 *
 *   calls  locks another mutex, posts semaphores, sleeps, writes to a pipe
 *   fork   makes a child that ends at once
 *   jump   leaves by siglongjmp, and the operation with it
 *   leap   calls, and then jumps
 *
 * Prints a line for each process: its number, handler and place; whether the signal was sent, how
 * often it was handled, the call that was left (- if none), the status as wait says it, and how
 * often it made each call.
 *
 * A program has its operations, of libc's calls or of MPI's, and calls
 * disturb_operation (interrupted_tracer.h). What happens in a process is in interrupted_child.h.
 *
 * Faults that were put into the library by hand, and found: activity_begin without busy_begin
 * (meet: at 71 of 155 places of it the handler's calls are missing, or the work's); a row of counts
 * that is begun without asking whether a handler was quicker, and emptied (post_last: at 48 of 245
 * places a call is missing); holds whose number stays odd after a jump (post_awaited: nobody ends
 * the later waits); a change of what is owed that is shown before its values (take_awaited, jump:
 * blame and waiting differ at 15 of 322 places); a table of counts whose number of rows is stored
 * before its place (post_last, calls: at each of the 8 instructions between the two a call is
 * missing. What lies behind the smaller table then must not be the larger one, in which such calls
 * would count all the same: make_profile sees to that). */
#pragma once
#include "single_steps.h"

/* ---- what was done ---- */

#define CALLS(CALL)                                                                                \
	CALL(MUTEX_LOCK)                                                                           \
	CALL(UNLOCKS)                                                                              \
	CALL(SEM_POST)                                                                             \
	CALL(SEM_WAIT)                                                                             \
	CALL(COND_TIMEDWAIT)                                                                       \
	CALL(COND_WAIT)                                                                            \
	CALL(COND_SIGNAL)                                                                          \
	CALL(BARRIER_WAIT)                                                                         \
	CALL(READ)                                                                                 \
	CALL(WRITE)                                                                                \
	CALL(CREATE)                                                                               \
	CALL(JOIN)                                                                                 \
	CALL(FORK) CALL(WAIT_CHILD) CALL(NANOSLEEP) CALL(MPI_Comm_rank) CALL(MPI_Iprobe)           \
		CALL(MPI_Irecv) CALL(MPI_Isend) CALL(MPI_Wait)

#define CALL_NAME(name)   #name,
#define CALL_NUMBER(name) CALL_##name,
static const char *const call_names[] = {CALLS(CALL_NAME)};
enum call { CALLS(CALL_NUMBER) CALL_COUNT, CALL_NONE = -1 };

static struct {
	struct steps steps;
	volatile long did[CALL_COUNT]; /* atomic: calls that began */
	volatile int under_way, left;  /* enum call, of the first thread */
	volatile int handled;
} * shared;

static __thread int is_first; /* the thread that is stepped through */

static int begin_call(enum call call)
{
	int outer = shared->under_way;

	if (is_first)
		shared->under_way = call; /* first: what a jump leaves here may count or not */
	__atomic_fetch_add(&shared->did[call], 1, __ATOMIC_SEQ_CST);
	return outer;
}

static void end_call(int outer)
{
	if (is_first)
		shared->under_way = outer;
}

#define DO(name, call)                                                                             \
	do {                                                                                       \
		int outer_ = begin_call(CALL_##name);                                              \
		(void)!(call);                                                                     \
		end_call(outer_);                                                                  \
	} while (0)

/* ---- what can be done ---- */

/* What the helper does: `before` at once, `later` when the first thread is asleep, or its work is
 * over. Without `before` and with `wake`, the work begins when the helper is asleep in `later`.
 */
struct operation {
	const char *name;
	void (*work)(void);
	void (*prepare)(void); /* once, before the first work; NULL: nothing */
	void (*before)(void), (*later)(void);
	void (*wake)(void);  /* lets the helper go that waits, if the work was left */
	void (*again)(void); /* what a handler may do at the same places, with the same objects */
	struct step_way way;
	bool has_locks; /* of libc's, which must neither be left nor copied */
};

/* What a program with operations says besides: how a process begins and ends, and that what a jump
 * has left half done in objects that are not the profiler's is none of its business. */
static void program_begin(void);
static void program_renew(void);
static void program_end(void);
