/* SPDX-License-Identifier: MIT */
/* What threads wait for: locks, conditions, barriers, semaphores, joined threads. By address and
 * kind; each has a row of the table `objects`, and, once somebody has waited for it, sums of who
 * kept it (holds.h), from which blame is charged.
 *
 * Context: any thread; signal handlers may publish (sem_post) but do not create. Looking one up is
 * lock-free; making one is done by one thread at a time for each hash list, and another one that
 * comes meanwhile waits for microseconds at most. Bounded: calls that did not wait make at most a
 * thousand of them, so that there is always room for those that are waited for; what is destroyed
 * makes room. Beyond the limits, objects of one kind and place of birth share a row, and at last
 * row 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/base/hash.h"
#include "preload/file/vocabulary.h"
#include "preload/locks/holds.h"

enum { OBJECT_FILTER = 1024 }; /* counters of waiters, by hash of the address */

struct object {
	uint64_t address; /* atomic; 0: free */
	uint16_t row;     /* in `objects` */
	uint8_t kind;
	uint32_t next;         /* in its hash list */
	uint32_t waits;        /* atomic: waits that have it in hand; OBJECT_DEAD: destroyed */
	uint32_t participants; /* of a barrier */
	uint32_t arrivals;     /* atomic, of a barrier */
	uint64_t mutex;        /* atomic, of a condition: the one it is used with */
	uint32_t woken;        /* atomic, of a condition: see object_wakes */
	struct holds *holds;   /* atomic; NULL: nobody has waited for it yet, or no room */
	struct holds *signal;  /* atomic, of a condition: its mutex's as of the latest signal */
};

/* What an operation is done to. */
enum object_kind object_kind_of(enum operation operation);

/* Threads that wait just now, by hash of what they wait for: lets a release that nobody waits for
 * cost one load. */
extern uint32_t object_waiters[OBJECT_FILTER];

static inline uint32_t *object_waiters_of(const void *address)
{
	return &object_waiters[hash_slot((uint64_t)address, OBJECT_FILTER)];
}

/* The object at that address; created at its first use at `place` (of the caller). For waits: there
 * is room as long as fewer than some ten thousand are waited for. NULL: no room. */
struct object *object_find(const void *address, enum object_kind kind, uint64_t place);

/* The row for a call that did not wait; 0: no room. */
uint16_t object_row(const void *address, enum object_kind kind, uint64_t place);

/* The object if it is known. */
struct object *object_known(const void *address, enum object_kind kind);

/* A wait has it in hand: it is not used for another address meanwhile, also if it is destroyed. */
void object_hold(struct object *object);
void object_release(struct object *object);

/* From now on releases are kept with it. */
void object_observe(struct object *object);

/* Initialised at `place`: remembered, so that an object which is used later bears its place of
 * birth. */
void object_initialised(const void *address, enum object_kind kind, uint64_t place);

/* Destroyed: the address may become another object. */
void object_destroyed(const void *address, enum object_kind kind);

/* One that shared this row has one of its own now. */
void object_leave_row(uint16_t number);

/* The row's column `detail`. */
void object_set_detail(struct object *object, uint32_t detail);

static inline struct holds *object_holds(const struct object *object)
{
	return object ? __atomic_load_n(&object->holds, __ATOMIC_ACQUIRE) : NULL;
}

/* Remembers a release. Concurrent callers are allowed. */
static inline void object_publish(struct object *object, uint64_t time_ns, uint32_t path)
{
	struct holds *holds = object_holds(object);

	if (holds)
		holds_release(holds, time_ns, path);
}

/* A condition is signalled at time_ns: who has its mutex from now on keeps those who wake. `room`:
 * the caller's. */
void object_keep_signal(struct object *condition, const struct object *mutex, uint64_t time_ns,
			struct hold_view *room);

/* Those who wake take the mutex again out of our sight: while they do (and one signal wakes one of
 * them), the mutex counts as awaited, so that its unlocks leave word. And one of them has it. */
void object_wakes(struct object *condition, const void *mutex, bool all);
void object_woke(struct object *condition);

bool object_is_full(void);

/* The calling thread has left what it was adding half done: asynchronous cancellation, siglongjmp. */
void object_let_go(void);

/* Start-up and fork child. */
void object_reset(void);
