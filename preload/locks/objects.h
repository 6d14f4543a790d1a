/* SPDX-License-Identifier: MIT */
/* What threads wait for: locks, conditions, barriers, semaphores, joined threads. Found by address
 * and kind; each has a row of the table `objects` and, once a thread has waited for it, sums of who
 * kept it (holds.h), from which blame is charged.
 *
 * Context: any thread; and signal handlers of the program. Looking one up is
 * lock-free. One thread at a time adds to each hash list, with signals blocked; another one waits,
 * normally for microseconds (patience.h). Bounded: calls that did not wait make at most a thousand
 * objects, so that there is room for those that are waited for; destroyed objects make room. Beyond
 * the limits, objects of one kind and birth (callpath.h) share a row, and beyond that have row 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/base/hash.h"
#include "preload/file/vocabulary.h"
#include "preload/locks/holds.h"

enum {
	OBJECT_FILTER = 1024,    /* counters of waiters, by hash of the address */
	OBJECT_ROW_LIMIT = 5120, /* first number of a row that is not given out */
};

struct object {
	uint64_t address; /* atomic; 0: free */
	uint16_t row;     /* in `objects` */
	uint8_t kind;
	bool is_told_seldom;   /* atomic, of a condition: not all signals are recorded */
	bool is_shared;        /* atomic: by processes */
	uint32_t next;         /* in its hash list */
	uint32_t waits;        /* atomic: waits that hold it; OBJECT_DEAD: destroyed */
	uint32_t participants; /* of a barrier */
	uint32_t arrivals;     /* atomic, of a barrier */
	uint64_t mutex;        /* atomic, of a condition: the mutex it is used with */
	uint32_t woken;        /* atomic, of a condition: see object_wakes */
	struct holds *holds;   /* atomic; NULL: nobody has waited yet, or no room */
	struct holds *signal;  /* atomic, of a condition: its mutex's at the latest signal */
};

/* The kind of object of an operation. */
enum object_kind object_kind_of(enum operation operation);

/* Threads that are waiting, by hash of the object's address: a release that nobody waits for costs
 * one load. */
extern uint32_t object_waiters[OBJECT_FILTER];

static inline uint32_t *object_waiters_of(const void *address)
{
	return &object_waiters[hash_slot((uint64_t)address, OBJECT_FILTER)];
}

/* The object at that address, created if need be; place: the caller, its birth if it was not seen
 * initialised. For waits: there is room for some ten thousand objects. NULL: no room. */
struct object *object_find(const void *address, enum object_kind kind, uint64_t place);

/* The row for a call that did not wait; 0: no room. */
uint16_t object_row(const void *address, enum object_kind kind, uint64_t place);

/* The object if there is one. */
struct object *object_known(const void *address, enum object_kind kind);

/* A wait holds it: until it is released the struct is not used for another address, even if the
 * object is destroyed. */
void object_hold(struct object *object);
void object_release(struct object *object);

/* From now on its releases are recorded. */
void object_observe(struct object *object);

/* Initialised at `place`: remembered as the birth of the object, should it be used later. */
void object_initialised(const void *address, enum object_kind kind, uint64_t place);

/* Destroyed: another object may be at the address from now on. */
void object_destroyed(const void *address, enum object_kind kind);

/* A row for what a descriptor stands for, which is found by no address here; is_of_many: others
 * will share it. 0: no room. And one more of those that share it. */
uint16_t object_add_named(enum object_kind kind, uint64_t inode, uint64_t device, const char *name,
			  uint64_t place, bool is_of_many);
void object_join_row(uint16_t number);

/* An object that shared this row has one of its own now. */
void object_leave_row(uint16_t number);

/* Processes share it. */
void object_set_shared(struct object *object);

/* The row's column `detail`. */
void object_set_detail(struct object *object, uint32_t detail);

static inline struct holds *object_holds(const struct object *object)
{
	return object ? __atomic_load_n(&object->holds, __ATOMIC_ACQUIRE) : NULL;
}

/* Records a release; io: as in holds_release. Concurrent calls are allowed. */
static inline void object_publish_held(struct object *object, uint64_t time_ns, uint32_t path,
				       const struct hold_io *io)
{
	struct holds *holds = object_holds(object);

	if (holds)
		holds_release(holds, time_ns, path, io);
}

static inline void object_publish(struct object *object, uint64_t time_ns, uint32_t path)
{
	object_publish_held(object, time_ns, path, NULL);
}

/* A condition is signalled at time_ns: stores its mutex's sums, because the holders of the mutex
 * keep the woken threads waiting from now on. room: memory of the caller. */
void object_keep_signal(struct object *condition, const struct object *mutex, uint64_t time_ns,
			struct hold_view *room);

/* Woken threads lock the mutex again inside libc: until they have it, the mutex counts as awaited,
 * so that its unlocks are recorded. object_wakes: a signal (one thread) or broadcast (all);
 * object_woke: one of them has the mutex. */
void object_wakes(struct object *condition, const void *mutex, bool all);
void object_woke(struct object *condition);

/* The same for one that may turn out to be none (holds.h). */
static inline void object_try_publish(struct object *object, uint64_t time_ns, uint32_t path,
				      struct hold_receipt *receipt)
{
	struct holds *holds = object_holds(object);

	if (holds)
		holds_try_release(holds, time_ns, path, receipt);
}

static inline void object_withdraw(struct object *object, const struct hold_receipt *receipt)
{
	struct holds *holds = object_holds(object);

	if (holds)
		holds_withdraw(holds, receipt);
}

/* How many waits hold it. */
uint32_t object_waits(const struct object *object);

bool object_is_full(void);

/* Start-up and fork child, which keeps where objects were initialised. */
void object_reset(void);
void object_forget_births(void);
