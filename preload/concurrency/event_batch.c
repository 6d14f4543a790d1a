/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/event_batch.h"

#include "preload/base/pages.h"
#include "preload/concurrency/news.h"
#include "preload/concurrency/parallelism.h"
#include "preload/concurrency/switches.h"

enum {
	/* Events that one pass sorts. Every source gets a share of at least one: if there were no
	 * room left for a source, its first event would hold back all others, and no pass would
	 * advance. */
	RING_EVENTS = 1024,
	THREAD_EVENTS = 1024,
	MANY_RING_EVENTS = 2048, /* with many threads, in memory that is mapped for them */
	MANY_THREAD_EVENTS = 10240,
	MANY_THREADS = 256,
};

_Static_assert((int)SWITCH_CPUS <= (int)RING_EVENTS, "one for each");
_Static_assert((int)EVENT_RING_LIMIT <= (int)MANY_THREAD_EVENTS, "one for each");

struct many {
	struct event events[MANY_RING_EVENTS + MANY_THREAD_EVENTS];
	struct event_ring *sources[MANY_THREAD_EVENTS];
};

static struct {
	uint64_t start_ns;
	bool is_last; /* the profile ends: nothing is waited for */
	unsigned count;
	unsigned ring_events, thread_events; /* room of this pass */
	struct event *events;
	struct event_ring **sources; /* threads with events */
	uint16_t rings[SWITCH_CPUS]; /* those with records */
	struct event few_events[RING_EVENTS + THREAD_EVENTS];
	struct event_ring *few_sources[THREAD_EVENTS];
	void *many; /* struct many */
} batch;

bool event_batch_have_room(uint32_t threads)
{
	return threads <= MANY_THREADS || pages_have(&batch.many, sizeof(struct many));
}

/* Of this pass: a thread that comes meanwhile has no event before it. */
static void choose_room(void)
{
	struct many *many = pages_had(&batch.many);

	batch.ring_events = many ? MANY_RING_EVENTS : RING_EVENTS;
	batch.thread_events = many ? MANY_THREAD_EVENTS : THREAD_EVENTS;
	batch.events = many ? many->events : batch.few_events;
	batch.sources = many ? many->sources : batch.few_sources;
}

void event_batch_start(uint64_t start_ns)
{
	batch.start_ns = start_ns; /* the rest is set by each pass */
	batch.is_last = false;
}

void event_batch_set_last(bool is_last)
{
	batch.is_last = is_last;
}

static struct event *add_event(uint64_t time_ns, uint64_t position)
{
	struct event *event = &batch.events[batch.count];

	*event = (struct event){
		.time_ns = time_ns,
		.position = position,
		.sequence = batch.count++,
	};
	return event;
}

/* ---- from the kernel's rings ---- */

/* This and gather_thread take at most `share` events, and lower *horizon to the first event that
 * they have to leave. */
static void gather_ring(unsigned ring, unsigned share, uint64_t *horizon)
{
	uint64_t position = switches_tail(ring);
	unsigned taken = 0;
	struct switch_record record;

	while (switches_next(ring, &position, &record)) {
		if (record.time_ns > *horizon)
			return;
		if (taken++ == share) {
			*horizon = record.time_ns;
			return;
		}
		struct event *event = add_event(record.time_ns, record.position);
		event->ring = (uint16_t)ring;
		event->tid = record.tid;
		event->what = (uint8_t)record.kind;
	}
}

/* ---- from threads' rings ---- */

/* A claimed call remains to be applied until a pass reaches its time. */
static void add_claimed(struct event_ring *event_ring)
{
	struct event *event = add_event(event_ring->claimed_ns, event_ring->claimed_head);

	event->event_ring = event_ring;
	event->what = (uint8_t)(event_ring->claimed_cause << WHAT_BITS | WHAT_ENTER);
	event->is_claim = true;
}

static bool claim(struct event_ring *event_ring, uint64_t *since_ns)
{
	news_claim(event_ring);
	if (__atomic_compare_exchange_n(&event_ring->open_since_ns, since_ns, OPEN_CLAIMED, false,
					__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return true;
	news_claim_failed(event_ring);
	return false;
}

/* A call that is under way and in no event yet. The horizon stays before a young one, which will
 * most likely be short. An old one is claimed, and is an event from now on; at the profile's end
 * any call is. */
static void gather_open(struct event_ring *event_ring, uint64_t since_ns, bool has_room,
			uint64_t *horizon)
{
	if (since_ns == OPEN_HELD)
		since_ns = parallelism_last_ns();
	if (since_ns < OPEN_STATES || since_ns > *horizon)
		return;
	uint8_t cause = event_ring->open_cause;
	bool is_old = batch.is_last || *horizon - since_ns >= CLAIM_NS;
	if (!has_room || !is_old || !claim(event_ring, &since_ns)) {
		*horizon = since_ns < OPEN_STATES ? parallelism_last_ns() : since_ns;
		return;
	}
	event_ring->claimed_ns = since_ns;
	event_ring->claimed_head = event_ring->head;
	event_ring->claimed_cause = cause;
	add_claimed(event_ring);
}

/* This and the two below: false if it lies beyond the horizon. */
static bool is_within(uint64_t time_ns, bool has_room, uint64_t *horizon)
{
	if (time_ns <= *horizon && !has_room)
		*horizon = time_ns;
	return time_ns <= *horizon && has_room;
}

static bool take_claimed(struct event_ring *event_ring, bool has_room, uint64_t *horizon)
{
	if (!is_within(event_ring->claimed_ns, has_room, horizon))
		return false;
	add_claimed(event_ring);
	return true;
}

static bool take_event(struct event_ring *event_ring, uint32_t at, bool has_room, uint64_t *horizon)
{
	uint64_t word = event_ring->events[at % EVENT_RING_EVENTS];
	uint64_t time_ns = (word >> EVENT_BITS) + batch.start_ns;

	if (!is_within(time_ns, has_room, horizon))
		return false;
	struct event *event = add_event(time_ns, at + 1);
	event->event_ring = event_ring;
	event->what = word & ((1u << EVENT_BITS) - 1);
	if ((event->what & WHAT_MASK) == WHAT_SHORT || (event->what & WHAT_MASK) == WHAT_SECTION)
		event->amount = event_ring->amounts[at % EVENT_RING_EVENTS];
	return true;
}

static void gather_thread(struct event_ring *event_ring, unsigned share, uint64_t *horizon)
{
	unsigned taken = 0;
	/* read before the head: then what the thread writes when the call ends is either seen
	 * below, or the horizon stays before it */
	uint64_t since_ns = __atomic_load_n(&event_ring->open_since_ns, __ATOMIC_ACQUIRE);
	uint32_t head = __atomic_load_n(&event_ring->head, __ATOMIC_ACQUIRE);

	for (uint32_t at = event_ring->tail;; at++) {
		bool is_claim = event_ring->claimed_ns && at == event_ring->claimed_head;
		if (is_claim && !take_claimed(event_ring, taken++ < share, horizon))
			return;
		if (at == head)
			break;
		if (!take_event(event_ring, at, taken++ < share, horizon))
			return;
	}
	gather_open(event_ring, since_ns, taken < share, horizon);
}

/* ---- together ---- */

static bool is_before(const struct event *a, const struct event *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->sequence < b->sequence;
}

/* Shell's sort: the batch is a few sorted runs, and nothing may be allocated. Gaps: M. Ciura,
 * 2001. */
static void sort_events(void)
{
	static const unsigned gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
	struct event *events = batch.events;

	for (unsigned g = 0; g < sizeof gaps / sizeof *gaps; g++)
		for (unsigned i = gaps[g]; i < batch.count; i++) {
			struct event moved = events[i];
			unsigned at = i;
			for (; at >= gaps[g] && is_before(&moved, &events[at - gaps[g]]);
			     at -= gaps[g])
				events[at] = events[at - gaps[g]];
			events[at] = moved;
		}
}

/* Rings with records only, for the same reason as with threads. */
static unsigned find_rings(void)
{
	unsigned rings = switches_count(), found = 0;

	for (unsigned i = 0; i < rings; i++)
		if (switches_have_news(i))
			batch.rings[found++] = (uint16_t)i;
	return found;
}

const struct event *event_batch_gather(uint64_t *horizon_ns, unsigned *count)
{
	unsigned rings = find_rings(), sources;

	batch.count = 0;
	choose_room();
	for (unsigned i = 0; i < rings; i++)
		gather_ring(batch.rings[i], batch.ring_events / rings, horizon_ns);
	/* found first: divided among all threads there ever were, the room would be one event for
	 * each, and a thread with many events would need as many passes */
	sources = news_find(batch.sources, batch.thread_events);
	for (unsigned i = 0; i < sources; i++)
		gather_thread(batch.sources[i], batch.thread_events / sources, horizon_ns);
	sort_events();
	/* later events stay in their sources: the horizon was lowered after they were taken */
	while (batch.count && batch.events[batch.count - 1].time_ns > *horizon_ns)
		batch.count--;
	*count = batch.count;
	return batch.events;
}

void event_batch_consume(const struct event *event)
{
	struct event_ring *event_ring = event->event_ring;

	if (!event_ring) {
		switches_consume(event->ring, event->position);
		return;
	}
	if (event->is_claim)
		event_ring->claimed_ns = 0;
	/* release: from now on the thread may use the slot again */
	__atomic_store_n(&event_ring->tail, (uint32_t)event->position, __ATOMIC_RELEASE);
}
