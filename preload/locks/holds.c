/* SPDX-License-Identifier: MIT */
#include "preload/locks/holds.h"

#include "preload/base/interrupted.h"
#include "preload/base/likely.h"
#include "preload/base/patience.h"

#include <stddef.h>

enum {
	WRITER_SPINS = 200,
	READER_PATIENCE_NS = 500000,
	MARKS = 4, /* tries */
};

/* ---- one writer, and readers that read again if they were disturbed (a sequence lock) ----
 *
 * All that is written while the sequence is odd is stored with release and read with acquire: a
 * thread that reads any of it then also sees the odd number. (Fences would do, but ThreadSanitizer
 * does not understand them.) */

#define LOAD(field)         __atomic_load_n(&(field), __ATOMIC_ACQUIRE)
#define STORE(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELEASE)

/* What this thread writes. One at a time: a signal handler of the program that interrupts it there
 * writes nothing, so that a jump out of it leaves one behind and no more. */
static __thread struct holds *writing;

static bool take_writer(struct holds *holds)
{
	for (int i = 0; i < WRITER_SPINS; i++)
		if (!__atomic_load_n(&holds->writer.thread, __ATOMIC_RELAXED) &&
		    try_owner_take(&holds->writer))
			return true;
	return false;
}

/* The holder of a mutex is always alone here; threads that post or signal may not be. */
static bool begin_write(struct holds *holds)
{
	if (unlikely(writing))
		return false;
	writing = holds; /* first: a jump never leaves one that is not known */
	interrupted_fence();
	if (unlikely(!take_writer(holds))) {
		writing = NULL;
		return false;
	}
	__atomic_store_n(&holds->sequence, LOAD(holds->sequence) | 1, __ATOMIC_RELAXED);
	return true;
}

/* Even again, whatever it was: a handler may have forked, and this is the child, where it is 0. */
static void end_write(struct holds *holds)
{
	STORE(holds->sequence, (LOAD(holds->sequence) | 1) + 1);
	try_owner_give_back(&holds->writer);
	interrupted_fence();
	writing = NULL;
}

void holds_let_go(void)
{
	struct holds *left = writing;

	if (left && try_owner_is_self(&left->writer))
		end_write(left);
	writing = NULL;
}

static void copy_io(struct hold_view *to, const struct hold_view *from, unsigned used)
{
	for (unsigned i = 0; i < used; i++) {
		STORE(to->io[i].ns, LOAD(from->io[i].ns));
		STORE(to->io[i].what, LOAD(from->io[i].what));
	}
	for (unsigned i = 0; i < HOLD_FIRST_IOS; i++) {
		STORE(to->first_io[i].begin_ns, LOAD(from->first_io[i].begin_ns));
		STORE(to->first_io[i].ns, LOAD(from->first_io[i].ns));
	}
}

/* Only the part in use: most objects are released at few places, and without input and output. */
static void copy(struct hold_view *to, const struct hold_view *from)
{
	uint8_t used = LOAD(from->used);

	STORE(to->used, used);
	STORE(to->last, LOAD(from->last));
	STORE(to->count, LOAD(from->count));
	STORE(to->undone, LOAD(from->undone));
	STORE(to->firsts, LOAD(from->firsts));
	STORE(to->has_mark, LOAD(from->has_mark));
	STORE(to->until_ns, LOAD(from->until_ns));
	STORE(to->last_ns, LOAD(from->last_ns));
	STORE(to->signal_ns, LOAD(from->signal_ns));
	for (unsigned i = 0; i < used; i++) {
		STORE(to->holds[i].tag, LOAD(from->holds[i].tag));
		STORE(to->holds[i].ns, LOAD(from->holds[i].ns));
	}
	for (unsigned i = 0; i < HOLD_FIRSTS / 8; i++)
		STORE(to->first_words[i], LOAD(from->first_words[i]));
	bool has_io = LOAD(from->has_io);
	STORE(to->has_io, has_io);
	if (unlikely(has_io))
		copy_io(to, from, used);
}

static bool try_look(const struct holds *holds, struct hold_view *view)
{
	uint32_t before = LOAD(holds->sequence);

	if (before & 1)
		return false;
	copy(view, &holds->now);
	return __atomic_load_n(&holds->sequence, __ATOMIC_RELAXED) == before;
}

void holds_look(const struct holds *holds, struct hold_view *view)
{
	struct patience patience = {0};
	bool is_known = holds && try_look(holds, view);

	while (holds && !is_known && !try_owner_is_self(&holds->writer) &&
	       patience_left(&patience, READER_PATIENCE_NS))
		is_known = try_look(holds, view);
	view->is_known = is_known;
}

/* A release between the mark and the look removes the mark: then it is tried again. */
void holds_look_first(struct holds *holds, struct hold_view *view)
{
	bool has_mark = false;

	for (int i = 0; holds && !has_mark && i < MARKS; i++) {
		__atomic_store_n(&holds->is_looked_at, 1, __ATOMIC_SEQ_CST);
		holds_look(holds, view);
		has_mark = __atomic_load_n(&holds->is_looked_at, __ATOMIC_SEQ_CST);
	}
	view->is_known = holds && view->is_known;
	view->has_mark = has_mark;
}

void holds_keep(struct holds *holds, const struct hold_view *view)
{
	if (!begin_write(holds))
		return;
	copy(&holds->now, view);
	end_write(holds);
}

static void clear_io(struct hold_view *now)
{
	for (unsigned i = 0; i < HOLD_PATHS; i++)
		STORE(now->io[i].ns, 0);
	for (unsigned i = 0; i < HOLD_FIRST_IOS; i++)
		STORE(now->first_io[i].ns, 0);
	STORE(now->has_io, false);
}

/* A thread that still writes to it, against the rules, spoils nothing but sums. */
void holds_clear(struct holds *holds)
{
	if (!begin_write(holds))
		return;
	for (unsigned i = 0; i < holds->now.used; i++) {
		STORE(holds->now.holds[i].tag, 0);
		STORE(holds->now.holds[i].ns, 0);
	}
	STORE(holds->now.used, 0);
	STORE(holds->now.count, 0);
	STORE(holds->now.undone, 0);
	STORE(holds->now.until_ns, 0);
	if (holds->now.has_io)
		clear_io(&holds->now);
	holds->is_free = false;
	holds->missed = 0;
	end_write(holds);
}

/* ---- releases ---- */

/* The path with the least weight. All weights fade by a 64th each time, so that paths of long ago
 * give way. */
static uint8_t lightest(struct holds *holds)
{
	uint8_t found = holds->now.last ? 0 : 1;

	for (uint8_t i = 0; i < HOLD_PATHS; i++) {
		holds->weight_ns[i] -= holds->weight_ns[i] / 64;
		if (i != holds->now.last && holds->weight_ns[i] < holds->weight_ns[found])
			found = i;
	}
	return found;
}

static uint8_t place_of(struct holds *holds, uint32_t path)
{
	struct hold_view *now = &holds->now;

	if (likely(now->used && (uint32_t)now->holds[now->last].tag == path))
		return now->last;
	for (uint8_t i = 0; i < now->used; i++)
		if ((uint32_t)now->holds[i].tag == path)
			return i;
	bool is_new = now->used < HOLD_PATHS;
	uint8_t place = is_new ? now->used : lightest(holds);
	uint64_t life = (now->holds[place].tag >> 32) + 1;
	STORE(now->holds[place].tag, path | life << 32);
	holds->weight_ns[place] = 0;
	holds->longest_io_ns[place] = 0;
	if (is_new)
		STORE(now->used, (uint8_t)(place + 1));
	return place;
}

/* The part of it after since_ns that is certain: as if all that came before had been without a
 * break. */
static struct hold_io io_after(const struct hold_io *io, uint64_t since_ns)
{
	uint64_t before_ns = since_ns > io->begin_ns ? since_ns - io->begin_ns : 0;

	return (struct hold_io){
		.begin_ns = io->begin_ns + before_ns,
		.ns = io->ns > before_ns ? io->ns - before_ns : 0,
		.what = io->what,
	};
}

/* Before the time is added. */
static void add_io(struct holds *holds, uint64_t time_ns, uint8_t place, bool is_first,
		   const struct hold_io *whole)
{
	struct hold_view *now = &holds->now;
	struct hold_io io = whole ? io_after(whole, now->until_ns) : (struct hold_io){0};
	uint64_t most_ns = time_ns > now->until_ns ? time_ns - now->until_ns : 0;

	io.ns = io.ns < most_ns ? io.ns : most_ns;
	if (io.ns < holds->longest_io_ns[place] && hold_is_other_kind(now->io[place].what, io.what))
		io.ns = 0;
	if (is_first) {
		struct hold_io *first = &now->first_io[now->firsts % HOLD_FIRST_IOS];
		STORE(first->begin_ns, io.begin_ns);
		STORE(first->ns, io.ns);
	}
	if (!io.ns)
		return;
	STORE(now->has_io, true);
	STORE(now->io[place].ns, now->io[place].ns + io.ns);
	if (io.ns < holds->longest_io_ns[place])
		return;
	holds->longest_io_ns[place] = io.ns;
	STORE(now->io[place].what, io.what);
}

static void add(struct holds *holds, uint64_t time_ns, uint8_t place, const struct hold_io *io)
{
	struct hold_view *now = &holds->now;
	bool is_first = __atomic_exchange_n(&holds->is_looked_at, 0, __ATOMIC_SEQ_CST);

	if (unlikely(io || now->has_io))
		add_io(holds, time_ns, place, is_first, io);
	if (is_first) {
		STORE(now->first[now->firsts % HOLD_FIRSTS], place);
		STORE(now->firsts, now->firsts + 1);
	}
	STORE(now->count, now->count + 1);
	if (time_ns <= now->until_ns)
		return; /* a later one was faster */
	STORE(now->last_ns, time_ns - now->until_ns);
	STORE(now->holds[place].ns, now->holds[place].ns + now->last_ns);
	holds->weight_ns[place] += now->last_ns;
	STORE(now->until_ns, time_ns);
	STORE(now->last, place);
}

/* If a release was missed, it lies somewhere in the time up to this one: the time is nobody's. */
static uint32_t certain(struct holds *holds, uint32_t path)
{
	if (likely(!__atomic_load_n(&holds->missed, __ATOMIC_RELAXED)))
		return path;
	return __atomic_exchange_n(&holds->missed, 0, __ATOMIC_RELAXED) ? 0 : path;
}

static void set_free(struct holds *holds, bool is_free)
{
	__atomic_store_n(&holds->is_free, is_free, __ATOMIC_RELAXED);
	holds->later = 0;
}

void holds_release(struct holds *holds, uint64_t time_ns, uint32_t path, const struct hold_io *io)
{
	if (unlikely(!begin_write(holds))) {
		__atomic_fetch_add(&holds->missed, 1, __ATOMIC_RELAXED);
		return;
	}
	add(holds, time_ns, place_of(holds, certain(holds, path)), io);
	set_free(holds, true);
	end_write(holds);
}

/* ---- releases that turn out to be none ---- */

void holds_try_release(struct holds *holds, uint64_t time_ns, uint32_t path,
		       struct hold_receipt *receipt)
{
	const struct hold_view *now = &holds->now;

	*receipt = (struct hold_receipt){0};
	if (unlikely(!begin_write(holds))) {
		__atomic_fetch_add(&holds->missed, 1, __ATOMIC_RELAXED);
		return;
	}
	uint8_t place = place_of(holds, certain(holds, path));
	uint32_t firsts = now->firsts;
	uint64_t before_ns = now->holds[place].ns;

	*receipt = (struct hold_receipt){
		.is_valid = true,
		.place = place,
		.last = now->last,
		.count = now->count + 1,
		.tag = now->holds[place].tag,
		.until_ns = now->until_ns,
		.last_ns = now->last_ns,
	};
	add(holds, time_ns, place, NULL);
	receipt->was_first = now->firsts != firsts;
	receipt->added_ns = now->holds[place].ns - before_ns;
	set_free(holds, true);
	end_write(holds);
}

/* Nothing came after it: as if it had not been, but for its number. */
static void restore(struct holds *holds, const struct hold_receipt *receipt)
{
	struct hold_view *now = &holds->now;

	STORE(now->until_ns, receipt->until_ns);
	STORE(now->last_ns, receipt->last_ns);
	STORE(now->last, receipt->last);
	if (!receipt->was_first)
		return;
	STORE(now->firsts, now->firsts - 1);
	__atomic_store_n(&holds->is_looked_at, 1, __ATOMIC_SEQ_CST);
}

/* Others came after it: the next one should have had its time. Of several the latest gets it. */
static void pass_to_next(struct holds *holds, const struct hold_receipt *receipt)
{
	struct hold_view *now = &holds->now;

	STORE(now->holds[now->last].ns, now->holds[now->last].ns + receipt->added_ns);
	if (now->count == receipt->count + 1)
		STORE(now->last_ns, now->last_ns + receipt->added_ns);
}

void holds_withdraw(struct holds *holds, const struct hold_receipt *receipt)
{
	struct hold_view *now = &holds->now;

	if (!receipt->is_valid || unlikely(!begin_write(holds)))
		return;
	if (receipt->place < now->used && now->holds[receipt->place].tag == receipt->tag &&
	    now->count >= receipt->count) {
		struct hold *hold = &now->holds[receipt->place];

		STORE(hold->ns, hold->ns - receipt->added_ns);
		STORE(now->undone, now->undone + 1);
		if (now->count == receipt->count)
			restore(holds, receipt);
		else
			pass_to_next(holds, receipt);
	}
	end_write(holds);
}

void holds_release_shared(struct holds *holds, uint64_t time_ns, uint32_t path, uint64_t since_ns,
			  uint32_t others, const struct hold_io *io)
{
	if (unlikely(!begin_write(holds))) {
		__atomic_fetch_add(&holds->missed, 1, __ATOMIC_RELAXED);
		return;
	}
	bool came_later = since_ns > holds->now.until_ns;
	if (came_later && holds->later)
		holds->later--;
	if (others <= holds->later) {
		if (came_later) /* earlier holders did not record their release */
			add(holds, since_ns, place_of(holds, 0), NULL);
		add(holds, time_ns, place_of(holds, certain(holds, path)), io);
		set_free(holds, !others);
	}
	end_write(holds);
}

void holds_take_shared(struct holds *holds, uint64_t time_ns)
{
	if (unlikely(!begin_write(holds)))
		return;
	if (!holds->is_free) {
		holds->later++;
	} else {
		if (holds->now.count)
			add(holds, time_ns, holds->now.last, NULL);
		set_free(holds, false);
	}
	end_write(holds);
}

void holds_begin(struct holds *holds)
{
	if (unlikely(!begin_write(holds)))
		return;
	set_free(holds, false);
	end_write(holds);
}

/* ---- differences ---- */

static bool is_same_path(const struct hold_view *from, const struct hold_view *to, unsigned place)
{
	uint64_t tag = to->holds[place].tag;

	return place < from->used ? from->holds[place].tag == tag : tag >> 32 == 1;
}

/* Input and output up to the instant `at`, of a path that has had its place since then. */
static uint64_t io_of(const struct hold_view *at, unsigned place)
{
	return at->has_io && place < at->used ? at->io[place].ns : 0;
}

/* A release that `from` has seen was taken back since: what it had added is in the part of another
 * one. Makes the part 0; returns what the others have too much. */
static uint64_t undone_of(struct hold_part *part, uint64_t before_ns, uint64_t after_ns)
{
	part->ns = after_ns > before_ns ? after_ns - before_ns : 0;
	return before_ns > after_ns ? before_ns - after_ns : 0;
}

/* Takes off what the first release added for the time before the wait began. If it may be part of
 * several paths' time, each of them loses it, and the surplus is nobody's. */
static void take_from_candidates(struct hold_part *parts, unsigned count, uint64_t ns)
{
	unsigned candidates = 0;

	for (unsigned i = 0; i < count; i++) {
		if (parts[i].ns < ns)
			continue;
		hold_part_shorten(&parts[i], ns);
		if (candidates++)
			parts[count].ns += ns;
	}
	/* none: the clocks disagree, but the sum must be right */
	for (unsigned i = 0; i < count && !candidates && ns; i++)
		ns = hold_part_shorten(&parts[i], ns);
}

/* The slot of the first release after a view; HOLD_PATHS: not known. */
static unsigned first_place(const struct hold_view *from, const struct hold_view *to)
{
	uint32_t firsts = to->firsts - from->firsts;
	unsigned place = to->first[from->firsts % HOLD_FIRSTS];

	return from->has_mark && firsts && firsts <= HOLD_FIRSTS && place < to->used ? place
										     : HOLD_PATHS;
}

/* Input and output of the first release that may have been before start_ns. */
static uint64_t first_io_before(const struct hold_view *from, const struct hold_view *to,
				uint64_t start_ns)
{
	const struct hold_io *io = &to->first_io[from->firsts % HOLD_FIRST_IOS];

	if (!to->has_io)
		return 0;
	if (to->firsts - from->firsts > HOLD_FIRST_IOS)
		return start_ns - from->until_ns;
	return io->ns - io_after(io, start_ns).ns;
}

static void take_beginning(const struct hold_view *from, const struct hold_view *to,
			   struct hold_part *parts, uint64_t start_ns)
{
	unsigned first = first_place(from, to);
	uint64_t ns = start_ns - from->until_ns;

	if (first < HOLD_PATHS) {
		struct hold_part *part = &parts[first];
		uint64_t io_ns = part->io_ns, lost_ns = first_io_before(from, to, start_ns);
		ns = hold_part_shorten(part, ns);
		io_ns -= lost_ns < io_ns ? lost_ns : io_ns;
		part->io_ns = io_ns < part->ns ? io_ns : part->ns;
	}
	if (ns)
		take_from_candidates(parts, to->used, ns);
}

static void add_gap(const struct hold_view *from, const struct hold_view *to,
		    struct hold_part *parts, uint64_t ns)
{
	bool is_certain = ns <= from->last_ns && is_same_path(from, to, from->last);

	parts[is_certain ? from->last : to->used].ns += ns;
}

unsigned holds_between(const struct hold_view *from, const struct hold_view *to, uint64_t start_ns,
		       struct hold_part parts[HOLD_PATHS + 1])
{
	unsigned count = to->used;
	uint64_t undone_ns = 0;

	for (unsigned i = 0; i < count; i++) {
		uint64_t before_ns = i < from->used ? from->holds[i].ns : 0;
		bool is_same = is_same_path(from, to, i);
		parts[i] = (struct hold_part){
			.path = is_same ? (uint32_t)to->holds[i].tag : 0,
			.io_ns = is_same ? io_of(to, i) - io_of(from, i) : 0,
		};
		undone_ns += undone_of(&parts[i], before_ns, to->holds[i].ns);
		if (parts[i].io_ns > parts[i].ns)
			parts[i].io_ns = parts[i].ns;
	}
	parts[count] = (struct hold_part){0};
	for (unsigned i = 0; i < count && undone_ns; i++)
		undone_ns = hold_part_shorten(&parts[i], undone_ns);
	if (from->until_ns > start_ns) /* a release between reading the clock and the look */
		add_gap(from, to, parts, from->until_ns - start_ns);
	else if (to->until_ns > from->until_ns)
		take_beginning(from, to, parts, start_ns);
	return count + 1;
}

uint32_t holds_first_after(const struct hold_view *from, const struct hold_view *to)
{
	unsigned place = first_place(from, to);
	bool is_known = place < HOLD_PATHS && is_same_path(from, to, place);

	return is_known ? (uint32_t)to->holds[place].tag : 0;
}
