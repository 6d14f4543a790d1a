/* SPDX-License-Identifier: MIT */
/* What threads wait for: locks, conditions, barriers, semaphores, joined threads. By address and
 * kind; each has a row of the table `objects` from its first use on, and a short memory of who
 * released it last, from which blame is charged.
 *
 * Context: any thread; signal handlers may publish (sem_post) but do not create. Lock-free.
 * Bounded: beyond the limit, objects of one kind and place of birth share a row, and at last row 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vocabulary.h"

enum {
	OBJECT_EVENTS = 8,    /* releases that an object remembers */
	OBJECT_FILTER = 1024, /* counters of waiters, by hash of the address */
};

/* A release (unlock, signal, post, last arrival at a barrier). Two words, written by the one who
 * releases; `check` ties them. */
struct object_event {
	uint64_t time_ns;
	uint32_t path;
	uint32_t check;
};

struct object {
	uint64_t address; /* 0: free */
	uint16_t row;     /* in `objects` */
	uint8_t kind;
	uint32_t next;         /* in its hash list */
	uint32_t events_next;  /* atomic: number of the next event */
	uint32_t participants; /* of a barrier */
	uint32_t arrivals;     /* atomic, of a barrier */
	uint64_t mutex;        /* atomic, of a condition: the one it is used with */
	struct object_event events[OBJECT_EVENTS];
};

/* Threads that wait just now, by hash of what they wait for: lets a release that nobody waits for
 * cost one load. */
extern uint32_t object_waiters[OBJECT_FILTER];

static inline uint32_t *object_waiters_of(const void *address)
{
	return &object_waiters[((uint64_t)address * 0x9e3779b97f4a7c15u) >> 54];
}

/* The object at that address; created at its first use at `place` (of the caller). NULL: no room.
 */
struct object *object_find(const void *address, enum object_kind kind, uint64_t place);

/* The object if it is known. */
struct object *object_known(const void *address, enum object_kind kind);

/* Initialised at `place`: remembered, so that an object which is used later bears its place of
 * birth. */
void object_initialised(const void *address, enum object_kind kind, uint64_t place);

/* Destroyed: the address may become another object. */
void object_destroyed(const void *address, enum object_kind kind);

/* The row's column `detail`. */
void object_set_detail(struct object *object, uint32_t detail);

/* Remembers a release. Concurrent callers are allowed. */
void object_publish(struct object *object, uint64_t time_ns, uint32_t path);

/* Releases so far; of NULL 0. */
static inline uint32_t object_event_count(const struct object *object)
{
	return object ? __atomic_load_n(&object->events_next, __ATOMIC_RELAXED) : 0;
}

/* The latest event that is not younger than at_ns and not older than a few microseconds before;
 * false: none. */
bool object_event_before(const struct object *object, uint64_t at_ns, struct object_event *event);

/* Copies the events of (from_ns, to_ns] in order of time. Returns their number; older ones may have
 * been overwritten. */
unsigned object_events(const struct object *object, uint64_t from_ns, uint64_t to_ns,
		       struct object_event events[OBJECT_EVENTS]);

bool object_is_full(void);

/* Start-up and fork child. */
void object_reset(void);
