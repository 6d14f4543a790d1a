/* SPDX-License-Identifier: MIT */
/* The process's own context switches, recorded by the kernel: which thread got on or off which
 * processor, and when.
 *
 * One software event for each processor that threads of the process may run on (affinity.h),
 * inherited by every thread that starts later; the kernel writes its records to a ring. Needs no
 * privilege at perf_event_paranoid 2; if it is refused, there are no records, and the errno says
 * why. No descriptor is kept, because the program may close, count or run out of them: the mapped
 * ring keeps its event alive.
 *
 * Context: switches_open by the only thread of the process; reading by the thread that holds the
 * drain (concurrency.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { SWITCH_CPUS = 1024 };

enum switch_kind {
	SWITCH_IN,
	SWITCH_OUT_BLOCKED,
	SWITCH_OUT_PREEMPTED,
	SWITCH_EXIT, /* the thread is about to end: it has no further records */
	SWITCH_LOST, /* before this one `tid` records did not fit */
};

struct switch_record {
	uint64_t time_ns;
	uint64_t position; /* behind it; for switches_consume, when it has been applied */
	uint32_t tid;
	uint32_t kind; /* enum switch_kind */
};

/* 0, or the negative errno with which the kernel refused them. */
int switches_open(void);

/* One ring for each of these threads, which exist already: ring i is that of tids[i]; it stays
 * empty if the thread has ended. Returns as switches_open. */
int switches_open_threads(const uint32_t *tids, unsigned count);

/* Unmaps the rings, which ends the events: switches cost no more than without them. */
void switches_close(void);

/* Fork child: the rings are the parent's, and not mapped here. */
void switches_forget(void);

/* They were opened, but not mapped: the memory that may be locked was used up. */
bool switches_lack_memory(void);

bool switches_are_open(void);

/* Number of rings. */
unsigned switches_count(void);

/* The ring of the processor that the caller runs on; UINT32_MAX: none. */
uint32_t switches_here(void);

/* switches_next: the record at *position (at first switches_tail) of a ring; moves *position behind
 * it. False: there is none yet. */
uint64_t switches_tail(unsigned ring);
bool switches_have_news(unsigned ring);
bool switches_next(unsigned ring, uint64_t *position, struct switch_record *record);
void switches_consume(unsigned ring, uint64_t position);
