/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/scheduler_state.h"

#include "preload/base/clock.h"
#include "preload/base/interrupted.h"
#include "preload/concurrency/news.h"
#include "preload/concurrency/parallelism.h"
#include "preload/concurrency/section_levels.h"
#include "preload/concurrency/switches.h"
#include "preload/file/note.h"
#include "preload/process/process_row.h"

#include <string.h>

enum { TID_BUCKETS = 4096, TID_WAYS = 4 };

struct processor {
	uint32_t tid; /* 0: not one of ours */
	struct event_ring *event_ring;
};

static struct {
	unsigned count;          /* of processors that the process may use */
	uint32_t alive, waiting; /* threads, for the estimate */
	uint32_t on, useful;     /* of the processors below */
	unsigned rings;          /* of them, those that were ever set */
	bool knows_tids;         /* the table below was ever written to */
} scheduler_state;

static struct processor on_ring[SWITCH_CPUS];
static struct event_ring *by_tid[TID_BUCKETS][TID_WAYS];

/* The tables are large, and those of most processes are never written to: they are not touched,
 * because the kernel would have to provide their pages. */
void scheduler_state_start(unsigned processors)
{
	if (scheduler_state.knows_tids)
		memset(by_tid, 0, sizeof by_tid);
	memset(on_ring, 0, scheduler_state.rings * sizeof *on_ring);
	memset(&scheduler_state, 0, sizeof scheduler_state);
	scheduler_state.count = processors;
}

void scheduler_state_widen(unsigned processors)
{
	scheduler_state.count = processors;
}

/* ---- the levels ---- */

/* On a processor, is it of no use? A call on a descriptor works in the kernel until it has to wait,
 * and is off the processor then. */
static bool is_useless(const struct event_ring *event_ring)
{
	return event_ring->is_waiting && !cause_is_io(event_ring->cause);
}

/* The sums are updated and not counted at each event, because a window has a ring for each of
 * hundreds of threads. They are counted at the begin of each drain, because a jump may have left
 * the last one in the middle of an update. */
static void count_processor(const struct processor *processor, uint32_t one)
{
	const struct event_ring *event_ring = processor->event_ring;

	if (!processor->tid)
		return;
	scheduler_state.on += one;
	scheduler_state.useful += event_ring && is_useless(event_ring) ? 0 : one;
}

void scheduler_state_count(void)
{
	scheduler_state.on = scheduler_state.useful = 0;
	for (unsigned i = 0; i < switches_count(); i++)
		count_processor(&on_ring[i], 1);
}

static void set_processor(unsigned ring, struct processor now)
{
	struct processor *processor = &on_ring[ring];

	if (scheduler_state.rings <= ring)
		scheduler_state.rings = ring + 1;
	interrupted_fence(); /* a handler that forks sees it first */
	count_processor(processor, -1u);
	*processor = now;
	count_processor(processor, 1);
	if (now.event_ring)
		now.event_ring->ring = (uint16_t)ring;
}

static bool is_on_processor(const struct event_ring *event_ring)
{
	const struct processor *processor = &on_ring[event_ring->ring];

	return processor->event_ring == event_ring && processor->tid;
}

static void set_waiting(struct event_ring *event_ring, bool is_waiting, uint8_t cause)
{
	bool was_useless = is_useless(event_ring);

	scheduler_state.waiting += is_waiting - (uint32_t)event_ring->is_waiting; /* 1, 0, -1 */
	event_ring->is_waiting = is_waiting;
	event_ring->cause = cause;
	if (is_on_processor(event_ring))
		scheduler_state.useful -= is_useless(event_ring) - (uint32_t)was_useless;
}

static void set_estimated_levels(void)
{
	uint32_t active = scheduler_state.alive > scheduler_state.waiting
				  ? scheduler_state.alive - scheduler_state.waiting
				  : 0;

	active = active < scheduler_state.count ? active : scheduler_state.count;
	parallelism_set(active, active);
}

static void set_levels(void)
{
	if (parallelism_is_seen())
		parallelism_set(scheduler_state.on, scheduler_state.useful);
	else
		set_estimated_levels();
}

/* ---- threads by kernel number ---- */

static struct event_ring *find_tid(uint32_t tid)
{
	struct event_ring **ways = by_tid[tid % TID_BUCKETS];

	for (int i = 0; i < TID_WAYS; i++)
		if (ways[i] && ways[i]->tid == tid && ways[i]->is_alive)
			return ways[i];
	return NULL;
}

static void enter_tid(struct event_ring *event_ring)
{
	struct event_ring **ways = by_tid[event_ring->tid % TID_BUCKETS];
	int at = 0;

	scheduler_state.knows_tids = true;
	interrupted_fence(); /* as above */
	for (int i = 0; i < TID_WAYS; i++)
		if (!ways[i] || !ways[i]->is_alive || ways[i] == event_ring)
			at = i;
	ways[at] = event_ring;
}

/* ---- events ---- */

/* The host of a virtual machine may take a processor away while its kernel writes a record: the
 * record then comes when later ones of the same thread, from another processor, have been applied.
 * The thread is no longer there, and its time until then has been counted. */
static bool is_stale(const struct event_ring *event_ring, const struct event *event)
{
	return event->what <= SWITCH_OUT_PREEMPTED && event_ring &&
	       event->time_ns < event_ring->switch_ns;
}

static void apply_switch(const struct event *event)
{
	struct event_ring *event_ring = find_tid(event->tid);

	if (is_stale(event_ring, event)) {
		set_processor(event->ring, (struct processor){0, NULL});
		return;
	}
	if (event->what <= SWITCH_OUT_PREEMPTED && event_ring)
		event_ring->switch_ns = event->time_ns;
	switch (event->what) {
	case SWITCH_IN:
		set_processor(event->ring, (struct processor){event->tid, event_ring});
		if (event_ring && parallelism_is_seen())
			event_ring_come_on(event_ring, event->time_ns);
		break;
	case SWITCH_OUT_BLOCKED:
	case SWITCH_OUT_PREEMPTED:
		set_processor(event->ring, (struct processor){0, NULL});
		if (event_ring && parallelism_is_seen())
			event_ring_go_off(event_ring, event->time_ns,
					  event->what == SWITCH_OUT_PREEMPTED);
		else if (event_ring)
			event_ring->is_preempted = event->what == SWITCH_OUT_PREEMPTED;
		break;
	case SWITCH_EXIT:
		set_processor(event->ring, (struct processor){0, NULL});
		break;
	default:
		process_row->switches_lost += event->tid;
		note_once(NOTE_LOST_SWITCHES, 0);
	}
}

/* A thread that is just born runs, so the record that it got on a processor came before. False: it
 * has left that processor since. */
static bool find_processor(struct event_ring *event_ring)
{
	for (unsigned i = 0; i < switches_count(); i++)
		if (on_ring[i].tid == event_ring->tid) {
			set_processor(i, (struct processor){event_ring->tid, event_ring});
			return true;
		}
	return false;
}

/* Records cover it from now on: not from its birth, because it may have been preempted before it
 * could write the event. A window's records are only of threads that existed when it was opened. */
static void begin_cover(struct event_ring *event_ring, uint64_t birth_ns)
{
	bool is_on = find_processor(event_ring);

	if (!parallelism_is_whole())
		return;
	event_ring->cover_since_ns = parallelism_last_ns();
	if (!is_on && birth_ns < event_ring->cover_since_ns)
		event_ring_go_off(event_ring, event_ring->cover_since_ns, true);
}

static void forget_processor(const struct event_ring *event_ring)
{
	for (unsigned i = 0; i < switches_count(); i++)
		if (on_ring[i].event_ring == event_ring)
			set_processor(i, (struct processor){on_ring[i].tid, NULL});
}

static void apply_birth(struct event_ring *event_ring, const struct event *event)
{
	if (event_ring->is_alive)
		return; /* applied already by a drain that a jump left */
	event_ring->is_alive = true;
	event_ring->waits_always = event->what >> WHAT_BITS != CAUSE_OTHER;
	set_waiting(event_ring, event_ring->waits_always, event->what >> WHAT_BITS);
	event_ring->cover_since_ns = 0;
	enter_tid(event_ring);
	scheduler_state.alive++;
	begin_cover(event_ring, event->time_ns);
}

static void end_life(struct event_ring *event_ring, uint64_t time_ns)
{
	event_ring_end_cover(event_ring, time_ns);
	event_ring->is_alive = false;
	scheduler_state.alive--;
	set_waiting(event_ring, false, event_ring->cause);
	forget_processor(event_ring);
}

/* If a thread is preempted between reading the clock and writing the event of its end, there are
 * later records of it, which may have come to their end meanwhile: it lived until then. */
static uint64_t end_of_life(const struct event_ring *event_ring, uint64_t time_ns)
{
	struct row_threads *row = event_ring->row;
	uint64_t seen_ns =
		event_ring->cover_since_ns ? event_ring->cover_since_ns : event_ring->covered_ns;

	if (seen_ns <= time_ns)
		return time_ns;
	if (row->updated_ns < seen_ns)
		row->updated_ns = seen_ns;
	return seen_ns;
}

static void apply_death(struct event_ring *event_ring, const struct event *event)
{
	if (event_ring->is_alive)
		end_life(event_ring, end_of_life(event_ring, event->time_ns));
	section_levels_end_thread(event_ring);
	news_end(event_ring);
	/* release: the thread that reuses the record sees everything above done */
	__atomic_store_n(&event_ring->is_gone, 1, __ATOMIC_RELEASE);
}

static void apply_wait(struct event_ring *event_ring, const struct event *event)
{
	bool enters = (event->what & WHAT_MASK) == WHAT_ENTER;

	if (event_ring->waits_always)
		return;
	if (event->amount)
		parallelism_take_useful(event->amount);
	if (event_ring->is_alive)
		set_waiting(event_ring, enters,
			    enters ? event->what >> WHAT_BITS : event_ring->cause);
}

static void apply_told(struct event_ring *event_ring, const struct event *event)
{
	switch (event->what & WHAT_MASK) {
	case WHAT_BORN:
		apply_birth(event_ring, event);
		break;
	case WHAT_DIED:
		apply_death(event_ring, event);
		break;
	case WHAT_SECTION:
		section_levels_apply(event_ring, event->what >> WHAT_BITS, event->amount);
		break;
	default:
		apply_wait(event_ring, event);
	}
}

void scheduler_state_apply(const struct event *event)
{
	parallelism_advance(event->time_ns);
	if (event->event_ring)
		apply_told(event->event_ring, event);
	else
		apply_switch(event);
	set_levels();
}

/* ---- records begin and end ---- */

void scheduler_state_see_all(unsigned ring, uint32_t tid)
{
	parallelism_set_view(PARALLELISM_SEEN);
	if (ring < SWITCH_CPUS)
		set_processor(ring, (struct processor){tid, NULL});
}

/* It has been off a processor since before the window. */
static void begin_off(struct event_ring *event_ring, uint64_t now_ns)
{
	event_ring->off_since_ns = now_ns;
	event_ring->row->off_since_ns = now_ns;
}

/* Whether its CPU time advances. */
static bool is_running(const struct event_ring *event_ring)
{
	uint64_t before_ns = clock_other_cpu_ns((int32_t)event_ring->tid);

	return clock_other_cpu_ns((int32_t)event_ring->tid) > before_ns;
}

/* A thread without a record since its ring was opened has not switched: it is in a wait, which a
 * wrapper may not see, or on a processor all the time. */
static void see_unheard(struct event_ring *event_ring, unsigned ring, unsigned *room)
{
	bool runs = !event_ring->is_waiting && *room && is_running(event_ring);

	*room -= runs;
	event_ring->is_preempted = !event_ring->is_waiting;
	set_processor(ring, runs ? (struct processor){event_ring->tid, event_ring}
				 : (struct processor){0, NULL});
}

void scheduler_state_see(struct event_ring *const event_rings[], unsigned count, uint64_t now_ns)
{
	unsigned room;

	parallelism_set_view(PARALLELISM_IN_WINDOW);
	scheduler_state_count();
	room = scheduler_state.on < scheduler_state.count
		       ? scheduler_state.count - scheduler_state.on
		       : 0;
	for (unsigned i = 0; i < count; i++) {
		struct event_ring *event_ring = event_rings[i];

		if (!event_ring)
			continue;
		if (!switches_tail(i))
			see_unheard(event_ring, i, &room);
		event_ring->cover_since_ns = now_ns;
		event_ring->off_since_ns = 0;
		if (!is_on_processor(event_ring))
			begin_off(event_ring, now_ns);
	}
	set_levels();
}

void scheduler_state_lose_sight(void)
{
	parallelism_set_view(PARALLELISM_UNSEEN);
	for (unsigned i = 0; i < SWITCH_CPUS; i++)
		set_processor(i, (struct processor){0, NULL});
	set_levels();
}
