/* SPDX-License-Identifier: MIT */
/* T_i: how long i threads at once were on a processor, and how long i were useful (on a processor
 * and in no wait). Also, per thread, the time off the processor and what it was waiting for then.
 *
 * Two streams are merged by time: context-switch records of the kernel (switches.h), and begins and
 * ends of waits, which every thread leaves in a small ring of its own (one store each). Whoever
 * comes by when it is due drains both: samples, returning waits, ending threads. No helper thread,
 * no lock: a drain that is already under way is not waited for. Without records, the waits alone
 * say who is active, and the figures are estimates.
 *
 * Definition of T_i: A. D. Malony, "Performance Observability", 1990 (concurrency efficiency). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/concurrency/presence.h"

/* Start-up and fork child: T_i from the process's CPU time, as long as there is one thread. */
void concurrency_start(uint64_t start_ns, unsigned processors);

/* Before the second thread is made, by the first one, whose CPU clock said so much at its birth,
 * and which was in waits for so long, by cause. Returns for how long it waited here for the kernel
 * to begin switch records, which is in no T_i. */
uint64_t concurrency_begin_parallel(bool with_switches, struct presence *first,
				    uint64_t birth_cpu_ns, const uint64_t by_cause_ns[CAUSE_COUNT]);

bool concurrency_is_parallel(void);

/* Single-threaded so far: brings T_0 and T_1 up to date. */
void concurrency_update_single(uint64_t now_ns, uint64_t cpu_ns);

/* Own thread; the order of calls is the order of time. */
/* cause: of a thread that is never useful but in this wait all its life (a helper of the MPI
 * library, in CAUSE_MPI); otherwise CAUSE_OTHER. */
void concurrency_born(struct presence *presence, uint32_t tid, struct row_threads *row,
		      enum cause cause, uint64_t now_ns);
void concurrency_died(struct presence *presence, uint64_t now_ns);
void concurrency_enter_wait(struct presence *presence, enum cause cause, uint64_t now_ns);
void concurrency_leave_wait(struct presence *presence, uint64_t now_ns);

/* The same for calls that may be made a million times a second. Short ones are summed and told now
 * and then; one that becomes long is found by the drain, or told when it ends. leave: start_ns is
 * what enter was given. */
void concurrency_enter_call(struct presence *presence, enum cause cause, uint64_t now_ns);
void concurrency_leave_call(struct presence *presence, enum cause cause, uint64_t start_ns,
			    uint64_t now_ns);

/* Drains if it is due, or `force`. Any thread, signal handlers. */
void concurrency_drain(uint64_t now_ns, bool force);
/* The same if it is due, within a wait: while MPI starts, a thread may be bound to other processors
 * for a moment, which is not where it will run. */
void concurrency_drain_within(uint64_t now_ns);

/* Whether the calling thread is the one that drains just now; and an end of that: a drain was left
 * by a jump or by the end of its thread, and others may have it. */
bool concurrency_is_held(void);
void concurrency_let_go(void);

/* The end of the profile, for now: drains, and returns the instant up to which the account goes.
 * Threads that run on change nothing of it until the next call of this. */
uint64_t concurrency_close(void);

/* It was not the end after all. */
void concurrency_reopen(void);

/* Threads on a processor just now, at least 1 for the caller; 0 is never returned. */
uint32_t concurrency_level(void);

/* The threads whose life is in the account, and their number; each presence knows its index. */
void concurrency_set_threads(presence_function *at_index, uint32_t count);

/* errno with which switch records were refused, 0 if they were not. */
int concurrency_switches_error(void);
