/* SPDX-License-Identifier: MIT */
#include "objects.h"

#include "callpath.h"
#include "code_map.h"
#include "likely.h"
#include "pages.h"
#include "rows.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	OBJECT_LIMIT = 8192,   /* objects that are told apart */
	OBJECT_SINGLES = 1024, /* beyond, objects of one kind and birth share a row */
	HASH_LISTS = 4096,
	BIRTHS = 16384, /* addresses whose initialisation is remembered */
	BIRTH_PROBES = 8,
	ROW_PATIENCE = 100,
	SAME_EVENT_NS = 10000,
	SHORT_BEFORE_NS = 5000, /* more than repeated releases leave unsaid */
	UNUSED_ADDRESS = 1,     /* no object has it */
};

uint32_t object_waiters[OBJECT_FILTER];

/* Where an object that has not been used yet was initialised. */
struct birth {
	uint64_t address; /* atomic; 0: free */
	uint64_t place;
};

/* Rows that many objects share. */
struct shared_row {
	uint64_t key; /* atomic: birth | kind << 32; 0: free */
	uint32_t row;
};

/* One reservation of zero pages: nothing is touched before it is needed. */
struct pool {
	struct object objects[OBJECT_LIMIT];
	uint32_t lists[HASH_LISTS]; /* atomic: first object's index */
	struct birth births[BIRTHS];
	struct shared_row shared[1024];
};

static struct {
	struct series rows;
	struct pool *pool;
	uint32_t next; /* atomic: objects in use, index 0 is none */
	bool is_full;
} objects = {
	.rows = {.table = TABLE_objects,
		 .row_bytes = sizeof(struct row_objects),
		 .rows_per_block = 32,
		 .limit = 4096,
		 .next = 1},
};

void object_reset(void)
{
	/* in place, as callpath_reset does */
	if (objects.pool)
		pages_clear(objects.pool, sizeof *objects.pool);
	else
		objects.pool = pages_new(sizeof *objects.pool);
	series_reset(&objects.rows);
	objects.next = 1;
	objects.is_full = false;
	memset(object_waiters, 0, sizeof object_waiters);
}

bool object_event_before(const struct object *object, uint64_t at_ns, struct object_event *event)
{
	struct object_event events[OBJECT_EVENTS];
	unsigned count = object_events(object, at_ns - SHORT_BEFORE_NS, at_ns, events);

	if (count)
		*event = events[count - 1];
	return count;
}

bool object_is_full(void)
{
	return objects.is_full;
}

static void sched_yield_raw(void)
{
	syscall(SYS_sched_yield);
}

static uint32_t hash(uint64_t address)
{
	return (uint32_t)((address * 0x9e3779b97f4a7c15u) >> 32);
}

/* ---- births ---- */

static struct birth *birth_slot(uint64_t address, bool make)
{
	struct birth *births = objects.pool->births;

	for (uint32_t i = 0; i < BIRTH_PROBES; i++) {
		struct birth *slot = &births[(hash(address) + i) % BIRTHS];
		uint64_t seen = __atomic_load_n(&slot->address, __ATOMIC_ACQUIRE);
		if (seen == address)
			return slot;
		if (make && seen == 0 &&
		    __atomic_compare_exchange_n(&slot->address, &seen, address, false,
						__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return slot;
	}
	return NULL;
}

/* ---- rows ---- */

/* The row shared by all further objects of that kind and birth, and whether it is new. */
static uint32_t shared_row(enum object_kind kind, uint32_t birth, bool *is_new)
{
	uint64_t key = birth | (uint64_t)kind << 32;
	struct shared_row *shared = objects.pool->shared;

	*is_new = false;
	for (uint32_t i = 0; i < 16; i++) {
		struct shared_row *slot = &shared[(hash(key) + i) % 1024];
		uint64_t seen = __atomic_load_n(&slot->key, __ATOMIC_ACQUIRE);
		if (seen == key)
			return __atomic_load_n(&slot->row, __ATOMIC_ACQUIRE);
		if (seen == 0 && __atomic_compare_exchange_n(&slot->key, &seen, key, false,
							     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			uint32_t number = 0;
			*is_new = series_add(&objects.rows, &number);
			__atomic_store_n(&slot->row, number, __ATOMIC_RELEASE);
			return number;
		}
	}
	return 0;
}

static uint16_t add_row(uint64_t address, enum object_kind kind, uint32_t birth, uint8_t flags)
{
	uint32_t number = 0;
	bool is_many = __atomic_load_n(&objects.next, __ATOMIC_RELAXED) > OBJECT_SINGLES,
	     is_new = true;

	if (is_many)
		number = shared_row(kind, birth, &is_new);
	else if (!series_add(&objects.rows, &number))
		is_new = false;
	if (!number) {
		objects.is_full = true;
		return 0;
	}
	struct row_objects *row = series_row(&objects.rows, number);
	__atomic_fetch_add(&row->members, 1, __ATOMIC_RELAXED);
	if (is_new) {
		uint64_t offset;
		row->kind = (uint8_t)kind;
		row->birth = birth;
		row->flags = flags | (is_many ? OBJECT_MANY : 0);
		row->module = code_map_module(address, &offset);
		row->offset = row->module ? offset : 0;
		__atomic_store_n(&row->address, address, __ATOMIC_RELEASE);
	}
	return (uint16_t)number;
}

/* ---- objects ---- */

static struct object *search(uint32_t at, uint64_t address, enum object_kind kind)
{
	for (; at; at = objects.pool->objects[at].next) {
		struct object *object = &objects.pool->objects[at];
		if (__atomic_load_n(&object->address, __ATOMIC_RELAXED) == address &&
		    object->kind == kind)
			return object;
	}
	return NULL;
}

static uint32_t *list_of(uint64_t address)
{
	return &objects.pool->lists[hash(address) % HASH_LISTS];
}

struct object *object_known(const void *address, enum object_kind kind)
{
	uint64_t wanted = (uint64_t)address;

	if (unlikely(!objects.pool))
		return NULL;
	return search(__atomic_load_n(list_of(wanted), __ATOMIC_ACQUIRE), wanted, kind);
}

static uint32_t take_number(void)
{
	uint32_t number = __atomic_load_n(&objects.next, __ATOMIC_RELAXED);

	do {
		if (number >= OBJECT_LIMIT) {
			objects.is_full = true;
			return 0;
		}
	} while (!__atomic_compare_exchange_n(&objects.next, &number, number + 1, false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return number;
}

static void fill_object(struct object *object, uint64_t address, enum object_kind kind,
			uint64_t place)
{
	struct birth *born = birth_slot(address, false);
	bool is_known = born && born->place;
	uint32_t birth = callpath_place(is_known ? born->place : place);

	uint16_t row = add_row(address, kind, birth, is_known ? OBJECT_INITIALISED : 0);
	__atomic_store_n(&object->row, row, __ATOMIC_RELEASE);
}

/* Two threads that meet a new object at once must end up with one: whoever comes second finds the
 * first one's in the list. */
static struct object *add_object(uint64_t address, enum object_kind kind, uint64_t place)
{
	uint32_t *list = list_of(address), number = 0;
	uint32_t first = __atomic_load_n(list, __ATOMIC_ACQUIRE);
	struct object *found, *object = NULL;

	for (;;) {
		found = search(first, address, kind);
		if (found)
			break;
		if (!number && !(number = take_number()))
			return NULL;
		object = &objects.pool->objects[number];
		/* its row only now: a loser would leave one behind */
		object->next = first;
		object->address = address;
		object->kind = (uint8_t)kind;
		if (__atomic_compare_exchange_n(list, &first, number, false, __ATOMIC_RELEASE,
						__ATOMIC_ACQUIRE)) {
			fill_object(object, address, kind, place);
			return object;
		}
	}
	if (object)
		object->address = UNUSED_ADDRESS;
	return found;
}

struct object *object_find(const void *address, enum object_kind kind, uint64_t place)
{
	struct object *object = object_known(address, kind);

	if (!objects.pool)
		return NULL;
	if (unlikely(!object))
		object = add_object((uint64_t)address, kind, place);
	/* whoever found it first is just giving it its row; not waited for without end, as that may
	 * be the interrupted thread itself */
	for (int i = 0; object && !__atomic_load_n(&object->row, __ATOMIC_ACQUIRE) &&
			i < ROW_PATIENCE && !objects.is_full;
	     i++)
		sched_yield_raw();
	return object;
}

void object_initialised(const void *address, enum object_kind kind, uint64_t place)
{
	if (!objects.pool)
		return;
	object_destroyed(address, kind); /* whatever lived here before is another object */
	struct birth *slot = birth_slot((uint64_t)address, true);
	if (slot)
		slot->place = place;
}

void object_destroyed(const void *address, enum object_kind kind)
{
	if (!objects.pool)
		return;
	struct object *object = object_known(address, kind);
	if (object) {
		struct row_objects *row = series_row(&objects.rows, object->row);
		if (object->row)
			row->flags |= OBJECT_DESTROYED;
		/* stays in its list, but is no longer found */
		__atomic_store_n(&object->address, UNUSED_ADDRESS, __ATOMIC_RELAXED);
	}
	struct birth *slot = birth_slot((uint64_t)address, false);
	if (slot)
		slot->place =
			0; /* the slot stays the address's own: lists of probes must not break */
}

void object_set_detail(struct object *object, uint32_t detail)
{
	if (object->row)
		((struct row_objects *)series_row(&objects.rows, object->row))->detail = detail;
}

/* ---- releases ---- */

static uint32_t check_of(uint64_t time_ns, uint32_t path)
{
	return (uint32_t)time_ns ^ (uint32_t)(time_ns >> 32) ^ path * 0x9e3779b1u;
}

void object_publish(struct object *object, uint64_t time_ns, uint32_t path)
{
	uint32_t last = __atomic_load_n(&object->events_next, __ATOMIC_RELAXED) - 1;
	struct object_event *event = &object->events[last % OBJECT_EVENTS];
	uint64_t second = path | (uint64_t)check_of(time_ns, path) << 32;

	/* One path that releases again and again within microseconds is one event, at the latest
	 * time: what came before it is charged to it all the same, the list reaches further back,
	 * and the atomic addition is spared. */
	bool is_same = __atomic_load_n(&event->path, __ATOMIC_RELAXED) == path &&
		       time_ns - __atomic_load_n(&event->time_ns, __ATOMIC_RELAXED) < SAME_EVENT_NS;
	if (!is_same) {
		last = __atomic_fetch_add(&object->events_next, 1, __ATOMIC_RELAXED);
		event = &object->events[last % OBJECT_EVENTS];
	}
	__atomic_store_n(&event->time_ns, time_ns, __ATOMIC_RELAXED);
	__atomic_store_n((uint64_t *)&event->path, second, __ATOMIC_RELEASE);
}

unsigned object_events(const struct object *object, uint64_t from_ns, uint64_t to_ns,
		       struct object_event events[OBJECT_EVENTS])
{
	unsigned count = 0;

	for (unsigned i = 0; i < OBJECT_EVENTS; i++) {
		const struct object_event *source = &object->events[i];
		uint64_t second =
			__atomic_load_n((const uint64_t *)&source->path, __ATOMIC_ACQUIRE);
		uint64_t time_ns = __atomic_load_n(&source->time_ns, __ATOMIC_RELAXED);
		uint32_t path = (uint32_t)second;

		if (time_ns <= from_ns || time_ns > to_ns ||
		    (uint32_t)(second >> 32) != check_of(time_ns, path))
			continue;
		unsigned at = count++;
		for (; at > 0 && events[at - 1].time_ns > time_ns; at--)
			events[at] = events[at - 1];
		events[at] = (struct object_event){.time_ns = time_ns, .path = path};
	}
	return count;
}
