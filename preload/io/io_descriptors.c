/* SPDX-License-Identifier: MIT */
#include "preload/io/io_descriptors.h"

#include "preload/base/hash.h"
#include "preload/io/io_names.h"
#include "preload/life/lifecycle.h"
#include "preload/locks/objects.h"
#include "preload/thread/thread_life.h"

#include <string.h>

enum {
	SLOTS = 1024,
	SINGLES = 512, /* further ones share a row with all of their kind */
	PROBES = 32,
};

uint64_t io_descriptor_words[IO_DESCRIPTORS];
uint8_t io_descriptor_uses[IO_DESCRIPTORS];

/* What has a row, by hash of its identity. */
struct known {
	uint64_t key; /* atomic; 0: free */
	uint32_t row; /* atomic; 0: another thread is making it */
};

static struct {
	struct known at[SLOTS];
	uint32_t count;                        /* atomic: single ones */
	uint64_t identities[OBJECT_ROW_LIMIT]; /* atomic, by row: what fstat said of it */
	bool is_registered;
} known;

bool io_descriptor_is_of_parent(void)
{
	const struct thread *thread = sync_self;

	return thread && !thread_is_callers(thread);
}

void io_descriptors_close(unsigned first, unsigned last)
{
	if (io_descriptor_is_of_parent())
		return;
	for (unsigned i = first; i < IO_DESCRIPTORS && i <= last; i++)
		io_descriptor_closes((int)i);
}

void io_descriptor_accepted(int number)
{
	if ((unsigned)number < IO_DESCRIPTORS)
		__atomic_fetch_or(&io_descriptor_words[number], IO_ACCEPTED, __ATOMIC_RELAXED);
}

void io_descriptor_copied(uint64_t word, int to)
{
	if (unlikely(word & IO_ACCEPTED && !io_descriptor_is_of_parent()))
		io_descriptor_accepted(to);
}

void io_descriptor_waits(int number, uint64_t word)
{
	uint64_t waits = word & ~(uint64_t)IO_UNWAITING;

	__atomic_compare_exchange_n(&io_descriptor_words[number], &word, waits, false,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* In a fork child: descriptors are as they were, rows are not. */
static void forget(void)
{
	memset(known.at, 0, sizeof known.at);
	known.count = 0;
	memset(io_descriptor_uses, 0, sizeof io_descriptor_uses);
	for (int i = 0; i < IO_DESCRIPTORS; i++)
		io_descriptor_words[i] &=
			~(uint64_t)(IO_ROW | IO_LOOKED_UP | IO_STREAM | IO_UNWAITING);
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	return hash_product(a ^ hash_product(b) >> 29 ^ b) | 1;
}

static uint64_t hash_text(const char *text)
{
	uint64_t hash = 0;

	for (; *text; text++)
		hash = mix(hash, (uint64_t)(unsigned char)*text);
	return hash;
}

static uint64_t inode_key(const struct io_identity *identity)
{
	return mix(identity->device, identity->inode);
}

static uint64_t key_of(const struct io_identity *identity, int number, uint64_t word)
{
	uint64_t what = identity->is_shared ? hash_text(identity->name) : inode_key(identity);

	/* the number of a file that was removed soon stands for another one */
	if (identity->kind == OBJECT_FILE)
		what = mix(what, hash_text(identity->name));
	if (identity->is_anonymous)
		what = mix(what, word / IO_GENERATION << 32 | (uint64_t)number);
	return mix(what, identity->kind);
}

/* is_new: set if the slot was free and is the caller's now; NULL: none is made. */
static struct known *slot_of(uint64_t key, bool *is_new)
{
	for (uint32_t i = 0; i < PROBES; i++) {
		struct known *slot = &known.at[(hash_slot(key, SLOTS) + i) % SLOTS];
		uint64_t seen = __atomic_load_n(&slot->key, __ATOMIC_ACQUIRE);
		if (!seen && !is_new)
			return NULL;
		if (!seen && __atomic_compare_exchange_n(&slot->key, &seen, key, false,
							 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			*is_new = true;
			return slot;
		}
		if (seen == key)
			return slot;
	}
	return NULL;
}

static uint16_t row_at(uint64_t key, const struct io_identity *identity, uint64_t place,
		       bool is_of_many)
{
	bool is_new = false;
	struct known *slot = slot_of(key, &is_new);

	if (!slot)
		return 0;
	if (is_new) {
		uint16_t row = object_add_named(identity->kind, is_of_many ? 1 : identity->inode,
						is_of_many ? 0 : identity->device,
						is_of_many ? "[other]" : identity->name, place,
						is_of_many);
		if (row)
			__atomic_store_n(&known.identities[row], inode_key(identity),
					 __ATOMIC_RELAXED);
		__atomic_store_n(&slot->row, row, __ATOMIC_RELEASE);
	}
	return (uint16_t)__atomic_load_n(&slot->row, __ATOMIC_ACQUIRE);
}

static uint16_t row_of(const struct io_identity *identity, int number, uint64_t word,
		       uint64_t place)
{
	uint64_t key = key_of(identity, number, word);

	if (slot_of(key, NULL) || __atomic_fetch_add(&known.count, 1, __ATOMIC_RELAXED) < SINGLES)
		return row_at(key, identity, place, false);
	__atomic_fetch_sub(&known.count, 1, __ATOMIC_RELAXED);
	uint16_t row = row_at(mix(identity->kind, UINT64_MAX), identity, place, true);
	object_join_row(row);
	return row;
}

static bool has_generation(int number, uint64_t word)
{
	return (io_descriptor_word(number) ^ word) < IO_GENERATION;
}

static bool is_queue(enum operation operation)
{
	return operation >= OP_MQ_RECEIVE && operation <= OP_MQ_TIMEDSEND;
}

/* Is the number still what the row stands for? Sockets share rows: they are looked up again. */
static bool is_same(const struct io_identity *identity, uint16_t row)
{
	return row && identity->kind != OBJECT_SOCKET &&
	       __atomic_load_n(&known.identities[row], __ATOMIC_RELAXED) == inode_key(identity);
}

/* What is read from it is short, and comes when others send it. */
static bool is_stream(enum object_kind kind)
{
	return kind == OBJECT_PIPE || kind == OBJECT_SOCKET || kind == OBJECT_TERMINAL ||
	       kind == OBJECT_EVENTFD || kind == OBJECT_TIMERFD || kind == OBJECT_SIGNALFD ||
	       kind == OBJECT_INOTIFY;
}

static uint64_t marks_of(const struct io_identity *identity, int number)
{
	if (!is_stream(identity->kind))
		return IO_LOOKED_UP;
	return IO_LOOKED_UP | IO_STREAM | (io_is_nonblocking(number) ? IO_UNWAITING : 0);
}

uint16_t io_descriptor_find(int number, uint64_t word, enum operation operation, uint64_t place)
{
	struct io_identity identity;

	if ((unsigned)number >= IO_DESCRIPTORS || !has_generation(number, word) ||
	    io_descriptor_is_of_parent() || !io_identity_begin(&identity, number))
		return 0;
	if (is_same(&identity, (uint16_t)(word & IO_ROW)))
		return (uint16_t)(word & IO_ROW);
	if (!known.is_registered) {
		known.is_registered = true;
		lifecycle_call_in_child(forget);
	}
	io_identity_name(&identity, number, word & IO_ACCEPTED, is_queue(operation));
	uint16_t row = row_of(&identity, number, word, place);
	uint64_t seen = io_descriptor_word(number);
	uint64_t made = (seen & ~(uint64_t)(IO_ROW | IO_STREAM | IO_UNWAITING)) | row |
			marks_of(&identity, number);
	bool is_kept = has_generation(number, word) &&
		       __atomic_compare_exchange_n(&io_descriptor_words[number], &seen, made, false,
						   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return is_kept || has_generation(number, word) ? row : 0;
}
