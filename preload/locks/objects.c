/* SPDX-License-Identifier: MIT */
#include "preload/locks/objects.h"

#include "preload/base/hash.h"
#include "preload/base/likely.h"
#include "preload/base/pages.h"
#include "preload/base/patience.h"
#include "preload/base/signal_block.h"
#include "preload/file/rows.h"
#include "preload/locks/hold_pool.h"
#include "preload/process/module_map.h"
#include "preload/stacks/callpath.h"

#include <string.h>

enum {
	OBJECT_LIMIT = 16384,   /* objects that are distinguished */
	COUNTED_SINGLES = 1024, /* more objects that nobody has waited for share rows */
	AWAITED_SINGLES = 2048, /* the same for the others */
	HASH_LISTS = 4096,
	SHARED_ROWS = 1024,
	OBJECTS_OF_PART = 512,
	/* tables of addresses whose initialisation is known: each further one is for what had no
	 * room in those before, and 8 times as large */
	BIRTH_TABLES = 3,
	BIRTHS_FIRST = 256,
	BIRTHS_SHIFT = 3,
	BIRTH_PROBES = 8,
	MET_BITS = 1 << 20,      /* one for each value of the hash */
	PATIENCE_NS = 100000000, /* a thread waits so long for what another one is adding */
	UNUSED_ADDRESS = 1,      /* destroyed, but still held */
	FREE_ADDRESS = 2,        /* free for the next object of its list */
};

#define OBJECT_DEAD 0x80000000u

uint32_t object_waiters[OBJECT_FILTER];

/* Where an object that has not been used yet was initialised. */
struct birth {
	uint64_t address; /* atomic; 0: free */
	uint64_t place;   /* atomic; 0: destroyed, another address may take the slot */
};

/* Rows that many objects share. */
struct shared_row {
	uint64_t key; /* atomic: birth | kind << 32; 0: free */
	uint32_t row; /* atomic; 0: not yet made */
	uint8_t busy; /* sole_work: a thread is making it */
};

/* Lists of objects by hash, and memory, which is mapped as it is needed. */
static struct {
	uint32_t lists[HASH_LISTS]; /* atomic: first object's index */
	uint8_t busy[HASH_LISTS];   /* sole_work: a thread is adding to the list */
	void *objects[OBJECT_LIMIT / OBJECTS_OF_PART];
	void *births[BIRTH_TABLES];
	void *shared; /* struct shared_row[SHARED_ROWS] */
	void *met;    /* uint32_t[MET_BITS / 32], atomic, by hash: counted as a member of its row */
} pool;

enum {
	OBJECTS_BYTES = OBJECTS_OF_PART * sizeof(struct object),
	SHARED_BYTES = SHARED_ROWS * sizeof(struct shared_row),
	MET_BYTES = MET_BITS / 8,
};

static struct {
	struct row_array rows;
	uint32_t next;             /* atomic: objects in use, index 0 is none; 0: not started */
	uint32_t counted, awaited; /* atomic: rows of single objects */
	bool is_full;
} objects = {
	.rows = {.table = TABLE_objects,
		 .row_bytes = sizeof(struct row_objects),
		 .rows_per_block = 32,
		 .limit = OBJECT_ROW_LIMIT,
		 .next = 1},
};

static bool is_started(void)
{
	return __atomic_load_n(&objects.next, __ATOMIC_RELAXED) != 0;
}

/* Of a table. */
static uint32_t births_in(unsigned table)
{
	return BIRTHS_FIRST << BIRTHS_SHIFT * table;
}

/* Of an object that is in a list, whose part is there. */
static struct object *object_at(uint32_t index)
{
	struct object *part = pages_had(&pool.objects[index / OBJECTS_OF_PART]);

	return &part[index % OBJECTS_OF_PART];
}

/* What was never used is as it has to be, and is not touched: each page of it would be one more
 * that the kernel has to provide, of every process. */
static void clear_lists(void)
{
	if (!is_started())
		return;
	if (objects.next > 1) /* in a list there are only objects, and their number comes first */
		memset(pool.lists, 0, sizeof pool.lists);
	memset(pool.busy, 0, sizeof pool.busy);
	memset(object_waiters, 0, sizeof object_waiters);
}

void object_reset(void)
{
	pages_clear_parts(pool.objects, OBJECT_LIMIT / OBJECTS_OF_PART, OBJECTS_BYTES);
	pages_clear_parts(&pool.shared, 1, SHARED_BYTES);
	pages_clear_parts(&pool.met, 1, MET_BYTES);
	clear_lists();
	hold_pool_reset();
	row_array_reset(&objects.rows);
	objects.next = 1;
	objects.counted = objects.awaited = 0;
	objects.is_full = false;
}

void object_forget_births(void)
{
	for (unsigned i = 0; i < BIRTH_TABLES; i++)
		pages_clear_parts(&pool.births[i], 1, births_in(i) * sizeof(struct birth));
}

enum object_kind object_kind_of(enum operation operation)
{
	static const uint8_t kinds[OP_COUNT] = {
#define OPERATION_KIND(name, call, kind, text) [OP_##name] = OBJECT_##kind,
		OPERATION_LIST(OPERATION_KIND)
#undef OPERATION_KIND
	};

	return kinds[operation];
}

bool object_is_full(void)
{
	return objects.is_full || hold_pool_is_full();
}

/* ---- births ---- */

static struct birth *search_births(struct birth *births, uint32_t count, uint64_t address,
				   bool make)
{
	for (uint32_t i = 0; i < BIRTH_PROBES; i++) {
		struct birth *slot = &births[(hash_slot(address, count) + i) % count];
		uint64_t seen = __atomic_load_n(&slot->address, __ATOMIC_ACQUIRE);
		if (seen == address)
			return slot;
		bool is_spare = !__atomic_load_n(&slot->place, __ATOMIC_RELAXED);
		if (make && is_spare &&
		    __atomic_compare_exchange_n(&slot->address, &seen, address, false,
						__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return slot;
	}
	return NULL;
}

static struct birth *birth_slot(uint64_t address)
{
	struct birth *slot = NULL;

	for (unsigned i = 0; !slot && i < BIRTH_TABLES; i++) {
		struct birth *births = pages_had(&pool.births[i]);
		if (!births)
			break;
		slot = search_births(births, births_in(i), address, false);
	}
	return slot;
}

static struct birth *make_birth(uint64_t address)
{
	struct birth *slot = birth_slot(address);

	for (unsigned i = 0; !slot && i < BIRTH_TABLES; i++) {
		uint32_t count = births_in(i);
		struct birth *births = pages_have(&pool.births[i], count * sizeof *births);
		if (!births)
			break;
		slot = search_births(births, count, address, true);
	}
	return slot;
}

/* ---- rows ---- */

/* The row for the key; *is_new: this thread has made it. If another thread takes too long to make
 * it, this one has a row of its own. 0: there is no room. */
static uint32_t row_of_shared(struct shared_row *slot, bool *is_new)
{
	struct patience patience = {0};
	struct sole_work work;
	uint32_t number;

	while (!(number = __atomic_load_n(&slot->row, __ATOMIC_ACQUIRE)) && !object_is_full()) {
		if (!sole_work_begin(&work, &slot->busy)) {
			if (patience_left(&patience, PATIENCE_NS))
				continue;
			*is_new = row_array_add(&objects.rows, &number) != NULL;
			break;
		}
		number = __atomic_load_n(&slot->row, __ATOMIC_RELAXED);
		*is_new = !number && row_array_add(&objects.rows, &number) != NULL;
		__atomic_store_n(&slot->row, number, __ATOMIC_RELEASE);
		sole_work_end(&work, &slot->busy);
		break;
	}
	return number;
}

/* All that is kept of objects that share a row. Two objects with the same hash, of a million
 * values, count as one. */
static uint32_t *met_word(uint32_t *met, uint64_t address, enum object_kind kind, uint32_t *bit)
{
	uint32_t at = hash_slot(address * 16 + kind, MET_BITS);

	*bit = 1u << at % 32;
	return &met[at / 32];
}

/* True: it was not counted before. */
static bool meet(uint64_t address, enum object_kind kind)
{
	uint32_t bit, *met = pages_have(&pool.met, MET_BYTES);

	if (!met)
		return true;
	uint32_t *word = met_word(met, address, kind, &bit);
	return !(__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit);
}

static void part(uint64_t address, enum object_kind kind)
{
	uint32_t bit, *met = pages_had(&pool.met);

	if (met) {
		uint32_t *word = met_word(met, address, kind, &bit);
		__atomic_fetch_and(word, ~bit, __ATOMIC_RELAXED);
	}
}

/* The row shared by further objects of that kind and birth, and whether it is new. */
static uint32_t shared_row(enum object_kind kind, uint32_t birth, bool *is_new)
{
	uint64_t key = birth | (uint64_t)kind << 32;
	struct shared_row *shared = pages_have(&pool.shared, SHARED_BYTES);

	*is_new = false;
	for (uint32_t i = 0; shared && i < 16; i++) {
		struct shared_row *slot = &shared[(hash_slot(key, SHARED_ROWS) + i) % SHARED_ROWS];
		uint64_t seen = __atomic_load_n(&slot->key, __ATOMIC_ACQUIRE);
		if (!seen)
			__atomic_compare_exchange_n(&slot->key, &seen, key, false, __ATOMIC_ACQ_REL,
						    __ATOMIC_ACQUIRE);
		if (!seen || seen == key)
			return row_of_shared(slot, is_new);
	}
	return 0;
}

/* False: all rows of that kind are in use. */
static bool take_single(uint32_t *used, uint32_t limit)
{
	return __atomic_load_n(used, __ATOMIC_RELAXED) < limit &&
	       __atomic_fetch_add(used, 1, __ATOMIC_RELAXED) < limit;
}

static void fill_row(uint32_t number, uint64_t address, enum object_kind kind, uint32_t birth,
		     uint8_t flags)
{
	struct row_objects *row = row_array_row(&objects.rows, number);
	uint64_t offset;

	row->kind = (uint8_t)kind;
	row->birth = birth;
	row->flags = flags;
	row->module = module_map_module(address, &offset);
	row->offset = row->module ? offset : 0;
	__atomic_store_n(&row->address, address, __ATOMIC_RELEASE);
}

uint16_t object_add_named(enum object_kind kind, uint64_t inode, uint64_t device, const char *name,
			  uint64_t place, bool is_of_many)
{
	uint32_t number = 0;
	struct row_objects *row = row_array_add(&objects.rows, &number);

	if (!row) {
		objects.is_full = true;
		return 0;
	}
	row->kind = (uint8_t)kind;
	row->birth = callpath_place(place);
	row->flags = is_of_many ? OBJECT_MANY : 0;
	row->members = !is_of_many;
	row->offset = device;
	row->name = store_string(name);
	__atomic_store_n(&row->address, inode ? inode : 1, __ATOMIC_RELEASE);
	return (uint16_t)number;
}

void object_join_row(uint16_t number)
{
	struct row_objects *row = number ? row_array_row(&objects.rows, number) : NULL;

	if (row)
		__atomic_fetch_add(&row->members, 1, __ATOMIC_RELAXED);
}

/* A row for an object that has none: of its own if is_single, or shared. */
static uint16_t add_row(uint64_t address, enum object_kind kind, uint64_t place, bool is_single)
{
	struct birth *born = birth_slot(address);
	uint64_t born_at = born ? __atomic_load_n(&born->place, __ATOMIC_RELAXED) : 0;
	uint32_t birth = callpath_place(born_at ? born_at : place);
	uint8_t flags = born_at ? OBJECT_INITIALISED : 0;
	uint32_t number = 0;
	bool is_new = true;

	if (!is_single || !row_array_add(&objects.rows, &number)) {
		number = shared_row(kind, birth, &is_new);
		flags |= OBJECT_MANY;
	}
	if (!number) {
		objects.is_full = true;
		return 0;
	}
	struct row_objects *row = row_array_row(&objects.rows, number);
	if (is_single || meet(address, kind))
		__atomic_fetch_add(&row->members, 1, __ATOMIC_RELAXED);
	if (is_new)
		fill_row(number, address, kind, birth, flags);
	return (uint16_t)number;
}

/* ---- objects ---- */

static struct object *search(uint32_t at, uint64_t address, enum object_kind kind)
{
	for (struct object *object; at; at = object->next) {
		object = object_at(at);
		if (__atomic_load_n(&object->address, __ATOMIC_RELAXED) == address &&
		    object->kind == kind)
			return object;
	}
	return NULL;
}

static uint32_t *list_of(uint64_t address)
{
	return &pool.lists[hash_slot(address, HASH_LISTS)];
}

struct object *object_known(const void *address, enum object_kind kind)
{
	uint64_t wanted = (uint64_t)address;

	return search(__atomic_load_n(list_of(wanted), __ATOMIC_ACQUIRE), wanted, kind);
}

/* A destroyed object of the list, else one that was never used; 0: there is none. */
static uint32_t take_number(uint32_t at)
{
	for (; at; at = object_at(at)->next)
		if (__atomic_load_n(&object_at(at)->address, __ATOMIC_ACQUIRE) == FREE_ADDRESS)
			return at;
	uint32_t number = __atomic_load_n(&objects.next, __ATOMIC_RELAXED);
	do {
		if (number >= OBJECT_LIMIT ||
		    !pages_have(&pool.objects[number / OBJECTS_OF_PART], OBJECTS_BYTES)) {
			objects.is_full = true;
			return 0;
		}
	} while (!__atomic_compare_exchange_n(&objects.next, &number, number + 1, false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return number;
}

/* By the thread that holds the list. */
static struct object *add_to_list(uint32_t *list, uint64_t address, enum object_kind kind,
				  uint64_t place, bool is_awaited)
{
	struct object *object = search(*list, address, kind);

	if (object)
		return object;
	bool is_single = is_awaited ? take_single(&objects.awaited, AWAITED_SINGLES)
				    : take_single(&objects.counted, COUNTED_SINGLES);
	if (!is_single && !is_awaited)
		return NULL;
	uint32_t number = take_number(*list);
	if (!number)
		return NULL;
	object = object_at(number);
	bool is_new = !object->address;
	object->kind = (uint8_t)kind;
	object->participants = object->arrivals = 0;
	object->mutex = 0;
	object->is_told_seldom = object->is_shared = false;
	object->row = add_row(address, kind, place, is_single);
	__atomic_store_n(&object->waits, 0, __ATOMIC_RELAXED);
	if (is_new)
		object->next = *list;
	__atomic_store_n(&object->address, address, __ATOMIC_RELEASE);
	if (is_new)
		__atomic_store_n(list, number, __ATOMIC_RELEASE);
	return object;
}

/* If two threads use a new object at once there must be one row: the second waits, mostly until the
 * first is back on its processor. NULL: no room, or that takes too long. */
static struct object *add_object(uint64_t address, enum object_kind kind, uint64_t place,
				 bool is_awaited)
{
	uint32_t *list = list_of(address);
	uint8_t *busy = &pool.busy[list - pool.lists];
	struct patience patience = {0};
	struct sole_work work;

	while (!sole_work_begin(&work, busy))
		if (!patience_left(&patience, PATIENCE_NS))
			return NULL;
	struct object *object = add_to_list(list, address, kind, place, is_awaited);
	sole_work_end(&work, busy);
	return object;
}

struct object *object_find(const void *address, enum object_kind kind, uint64_t place)
{
	struct object *object = object_known(address, kind);

	if (likely(object) || !is_started())
		return object;
	return add_object((uint64_t)address, kind, place, true);
}

uint16_t object_row(const void *address, enum object_kind kind, uint64_t place)
{
	struct object *object = object_known(address, kind);

	if (!object && is_started() &&
	    __atomic_load_n(&objects.counted, __ATOMIC_RELAXED) < COUNTED_SINGLES)
		object = add_object((uint64_t)address, kind, place, false);
	if (object || !is_started())
		return object ? object->row : 0;
	return add_row((uint64_t)address, kind, place, false);
}

/* ---- holders' sums ---- */

void object_observe(struct object *object)
{
	hold_pool_have(&object->holds);
}

void object_keep_signal(struct object *condition, const struct object *mutex, uint64_t time_ns,
			struct hold_view *room)
{
	struct holds *signal = hold_pool_have(&condition->signal);

	holds_look_first(object_holds(mutex), room);
	room->signal_ns = time_ns;
	if (signal && room->is_known)
		holds_keep(signal, room);
}

/* ---- woken waiters of a condition ----
 *
 * `woken` has their number, and above it the counter of waiters that is raised by one while there
 * are any. */

enum { WOKEN_COUNT = 1 << 20 };

static void lower(uint32_t woken)
{
	__atomic_fetch_sub(&object_waiters[woken / WOKEN_COUNT], 1, __ATOMIC_RELAXED);
}

void object_wakes(struct object *condition, const void *mutex, bool all)
{
	uint32_t before = __atomic_load_n(&condition->woken, __ATOMIC_RELAXED), after;
	uint32_t filter = (uint32_t)(object_waiters_of(mutex) - object_waiters);
	uint32_t waits = __atomic_load_n(&condition->waits, __ATOMIC_RELAXED) % WOKEN_COUNT;

	if (!waits)
		return;
	do {
		uint32_t count = before % WOKEN_COUNT;
		if (all || count >= waits)
			count = waits;
		else
			count++;
		after = filter * WOKEN_COUNT + count;
	} while (!__atomic_compare_exchange_n(&condition->woken, &before, after, false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	if (before % WOKEN_COUNT)
		lower(before);
	__atomic_fetch_add(&object_waiters[filter], 1, __ATOMIC_RELAXED);
}

void object_woke(struct object *condition)
{
	uint32_t before = __atomic_load_n(&condition->woken, __ATOMIC_RELAXED);

	do {
		if (!(before % WOKEN_COUNT))
			return;
	} while (!__atomic_compare_exchange_n(&condition->woken, &before, before - 1, false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	if (before % WOKEN_COUNT == 1)
		lower(before);
}

/* ---- begin and end of objects ---- */

/* Nobody holds it any more. It stays in its list, for the next object there. */
static void recycle(struct object *object)
{
	hold_pool_give_back(&object->holds);
	hold_pool_give_back(&object->signal);
	uint32_t woken = __atomic_exchange_n(&object->woken, 0, __ATOMIC_RELAXED);
	if (woken % WOKEN_COUNT)
		lower(woken);
	__atomic_store_n(&object->address, FREE_ADDRESS, __ATOMIC_RELEASE);
}

void object_hold(struct object *object)
{
	uint32_t before = __atomic_fetch_add(&object->waits, 1, __ATOMIC_RELAXED);
	struct holds *holds = object_holds(object);

	if (!before && holds)
		holds_begin(holds);
}

void object_release(struct object *object)
{
	uint32_t left = __atomic_sub_fetch(&object->waits, 1, __ATOMIC_ACQ_REL);

	if (unlikely(left == OBJECT_DEAD))
		recycle(object);
}

uint32_t object_waits(const struct object *object)
{
	return __atomic_load_n(&object->waits, __ATOMIC_RELAXED) & ~OBJECT_DEAD;
}

void object_initialised(const void *address, enum object_kind kind, uint64_t place)
{
	if (!is_started())
		return;
	object_destroyed(address, kind); /* what was here before is another object */
	struct birth *slot = make_birth((uint64_t)address);
	if (slot)
		__atomic_store_n(&slot->place, place, __ATOMIC_RELAXED);
}

void object_destroyed(const void *address, enum object_kind kind)
{
	if (!is_started())
		return;
	struct object *object = object_known(address, kind);
	if (object) {
		struct row_objects *row = row_array_row(&objects.rows, object->row);
		if (object->row)
			row->flags |= OBJECT_DESTROYED;
		__atomic_store_n(&object->address, UNUSED_ADDRESS, __ATOMIC_RELAXED);
		if (!__atomic_fetch_or(&object->waits, OBJECT_DEAD, __ATOMIC_ACQ_REL))
			recycle(object);
	}
	part((uint64_t)address, kind);
	struct birth *slot = birth_slot((uint64_t)address);
	if (slot)
		__atomic_store_n(&slot->place, 0, __ATOMIC_RELAXED);
}

void object_leave_row(uint16_t number)
{
	struct row_objects *row = number ? row_array_row(&objects.rows, number) : NULL;

	if (row && row->members > 1)
		__atomic_fetch_sub(&row->members, 1, __ATOMIC_RELAXED);
}

void object_set_shared(struct object *object)
{
	__atomic_store_n(&object->is_shared, true, __ATOMIC_RELAXED);
	if (object->row)
		((struct row_objects *)row_array_row(&objects.rows, object->row))->flags |=
			OBJECT_SHARED;
}

void object_set_detail(struct object *object, uint32_t detail)
{
	if (object->row)
		((struct row_objects *)row_array_row(&objects.rows, object->row))->detail = detail;
}
