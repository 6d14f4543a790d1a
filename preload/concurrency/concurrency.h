/* SPDX-License-Identifier: MIT */
/* T_i: how long i threads at once were on a processor, and how long i were useful (on a processor
 * and in no wait). Also, per thread, the time off the processor and what it was waiting for then.
 *
 * Two streams are merged by time: context-switch records of the kernel (switches.h), and begins and
 * ends of waits, which every thread writes to a small ring of its own (one ordered store each).
 * Samples, returning waits and ending threads drain both when it is due. There is no helper thread
 * and no lock: nobody waits for a drain that is under way. Without records, only the waits tell who
 * is active, and the figures are estimates.
 *
 * Definition of T_i: A. D. Malony, "Performance Observability", 1990 (concurrency efficiency). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/concurrency/event_ring.h"

/* Start-up and fork child. As long as there is one thread, T_i comes from its CPU time. */
void concurrency_start(uint64_t start_ns, unsigned processors);

/* Before the second thread is made, by the first one. birth_cpu_ns: its CPU clock at its birth;
 * by_cause_ns: how long it was in waits. Returns how long it waited here for the kernel to begin
 * switch records, which is in no T_i. */
uint64_t concurrency_begin_parallel(bool with_switches, struct event_ring *first,
				    uint64_t birth_cpu_ns, const uint64_t by_cause_ns[CAUSE_COUNT]);

/* The same by a thread that nobody has foreseen, beside the first one, which has used cpu_ns since
 * its birth. Records are taken as of a program that has threads already; a wait of the first thread
 * that is under way is in no T_i. */
void concurrency_begin_beside(bool with_switches, struct event_ring *first, uint64_t cpu_ns);

/* Instead, for a program that has threads already, whose births are told next: records are taken of
 * each thread, as long as they are cheap and no further thread comes, and in windows otherwise. */
void concurrency_begin_late(bool with_switches);

/* The end of such a profile, after concurrency_close: no records are taken, nothing is drained. */
void concurrency_end_late(void);

bool concurrency_is_parallel(void);

/* With one thread so far: updates T_0 and T_1. */
void concurrency_update_single(uint64_t now_ns, uint64_t cpu_ns);

/* Own thread; calls in the order of time. */
/* cause: of a thread that is never useful, the wait that it is in all its life (a helper of the MPI
 * library: CAUSE_MPI); otherwise CAUSE_OTHER. */
void concurrency_born(struct event_ring *event_ring, uint32_t tid, struct row_threads *row,
		      enum cause cause, uint64_t now_ns);
void concurrency_died(struct event_ring *event_ring, uint64_t now_ns);
void concurrency_enter_wait(struct event_ring *event_ring, enum cause cause, uint64_t now_ns);
void concurrency_leave_wait(struct event_ring *event_ring, uint64_t now_ns);

/* The same for calls that may be made a million times a second. Short ones are added up, and the
 * sum becomes an event now and then; a long one is found by the drain, or becomes two events when
 * it ends. start_ns: what enter was given. */
void concurrency_enter_call(struct event_ring *event_ring, enum cause cause, uint64_t now_ns);
void concurrency_leave_call(struct event_ring *event_ring, enum cause cause, uint64_t start_ns,
			    uint64_t now_ns);

/* The call was no wait. */
void concurrency_leave_work(struct event_ring *event_ring, uint64_t start_ns, uint64_t now_ns);

/* The same for a call that was shorter than CLAIM_NS / 2. */
static inline void concurrency_leave_short(struct event_ring *event_ring)
{
	__atomic_store_n(&event_ring->open_since_ns, OPEN_NONE, __ATOMIC_RELEASE);
}

/* A section begins or ends in the thread, whose CPU time since its birth is cpu_ns (which counts as
 * long as it is the only one). False: there is no room for the event; who has begun ends, and the
 * end has room. The latest begin ends first. */
bool concurrency_open_section(struct event_ring *event_ring, uint32_t section, uint64_t now_ns,
			      uint64_t cpu_ns);
void concurrency_close_section(struct event_ring *event_ring, uint32_t section, uint64_t now_ns,
			       uint64_t cpu_ns);

/* The process is in that phase from now on; 0: in none. False: likewise. */
bool concurrency_set_phase(struct event_ring *event_ring, uint32_t section, uint64_t now_ns,
			   uint64_t cpu_ns);

/* Drains if that is due, or if `force`. Any thread, signal handlers. */
void concurrency_drain(uint64_t now_ns, bool force);
/* The same if due, within a wait: the thread's processor is ignored, because while MPI starts a
 * thread may be bound to others for a moment. */
void concurrency_drain_within(uint64_t now_ns);

/* Whether the calling thread is draining; and the end of that, if it left the drain by a jump or
 * ends: others may drain again. */
bool concurrency_is_held(void);
void concurrency_let_go(void);

/* The end of the profile, for now: drains, and returns the instant at which T_i ends. Threads that
 * run on do not change it until the next call. */
uint64_t concurrency_close(void);

/* The profile goes on after all. */
void concurrency_reopen(void);

/* Threads on a processor now; at least 1, the caller. */
uint32_t concurrency_level(void);

/* The same as a word that changes (atomic); 0: not known, the caller. For code that may call
 * nothing. */
const uint32_t *concurrency_level_word(void);

/* The threads that count, and their number; each ring has its index. */
void concurrency_set_threads(event_ring_function *at_index, uint32_t count);

/* The negative errno with which switch records were refused; 0: they were not. */
int concurrency_switches_error(void);
