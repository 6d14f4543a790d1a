/* SPDX-License-Identifier: MIT */
/* T_i of sections: of the time in which a section was open in at least one thread (table
 * section_levels). Threads tell their begins and ends as events (concurrency.h), so that they are
 * merged with switch records by time like everything else.
 *
 * Context: the thread that holds the drain (concurrency.c), or the only thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/concurrency/event_ring.h"
#include "preload/concurrency/level_account.h"

/* What an event of a section is, in place of a cause: its end, its begin, or a phase, which is that
 * section until the next one. */
enum section_event { SECTION_EVENT_CLOSES, SECTION_EVENT_OPENS, SECTION_EVENT_PHASE };

/* The amount of such an event: the section, and above it which one of its thread the event is:
 * an event that comes twice (concurrency_let_go) counts once. */
enum { SECTION_NUMBER_BITS = 8, SECTION_SEQUENCE_MASK = 0xffffff };
_Static_assert(SECTION_LIMIT <= 1 << SECTION_NUMBER_BITS, "numbers fit");

extern bool section_levels_any; /* a section is open */

/* Start-up and fork child. The single thread's account begins. */
void section_levels_start(uint64_t start_ns, unsigned processors);
void section_levels_widen(unsigned processors);

/* An event of a thread: what is it in place of a cause. */
void section_levels_apply(struct event_ring *event_ring, enum section_event event, uint32_t amount);

/* The thread has ended: so have the sections that it had open. */
void section_levels_end_thread(struct event_ring *event_ring);

/* Time passes for all open sections. */
void section_levels_pass(const struct levels_now *now, uint64_t ns);
void section_levels_take_useful(const struct levels_now *now, uint64_t ns);

/* As long as there is one thread: time passes up to this instant, of which its CPU time has reached
 * cpu_ns. A signal handler's call in the middle of the one below has no effect. */
void section_levels_update_single(uint64_t now_ns, uint64_t cpu_ns);

/* The same, and then the section begins or ends, or the phase is another one (0: none). */
void section_levels_tell_single(uint32_t section, enum section_event event, uint64_t now_ns,
				uint64_t cpu_ns);

/* So much of the time that has not been accounted yet was the tool's own. */
void section_levels_leave_out(uint64_t ns);
