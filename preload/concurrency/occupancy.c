/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/occupancy.h"

#include "preload/base/clock.h"
#include "preload/concurrency/levels.h"
#include "preload/concurrency/news.h"
#include "preload/concurrency/switches.h"
#include "preload/file/note.h"
#include "preload/process/process_row.h"

#include <string.h>

enum { TID_BUCKETS = 4096, TID_WAYS = 4 };

struct processor {
	uint32_t tid; /* 0: not one of ours */
	struct presence *presence;
};

static struct {
	unsigned count;                           /* of processors that the process may use */
	uint32_t alive, waiting;                  /* threads, for the estimate */
	uint32_t on, useful;                      /* of the processors below */
	struct processor processors[SWITCH_CPUS]; /* by ring */
	struct presence *by_tid[TID_BUCKETS][TID_WAYS];
} occupancy;

void occupancy_start(unsigned processors)
{
	memset(&occupancy, 0, sizeof occupancy);
	occupancy.count = processors;
}

void occupancy_widen(unsigned processors)
{
	occupancy.count = processors;
}

/* ---- the levels ---- */

/* The sums are updated and not counted at each event, because a window has a ring for each of
 * hundreds of threads. They are counted at the begin of each drain, because a jump may have left
 * the last one in the middle of an update. */
static void count_processor(const struct processor *processor, uint32_t one)
{
	const struct presence *presence = processor->presence;

	if (!processor->tid)
		return;
	occupancy.on += one;
	occupancy.useful += presence && presence->is_waiting ? 0 : one;
}

void occupancy_count(void)
{
	occupancy.on = occupancy.useful = 0;
	for (unsigned i = 0; i < switches_count(); i++)
		count_processor(&occupancy.processors[i], 1);
}

static void set_processor(unsigned ring, struct processor now)
{
	struct processor *processor = &occupancy.processors[ring];

	count_processor(processor, -1u);
	*processor = now;
	count_processor(processor, 1);
	if (now.presence)
		now.presence->ring = (uint16_t)ring;
}

static bool is_on_processor(const struct presence *presence)
{
	const struct processor *processor = &occupancy.processors[presence->ring];

	return processor->presence == presence && processor->tid;
}

static void set_waiting(struct presence *presence, bool is_waiting)
{
	uint32_t change = is_waiting - (uint32_t)presence->is_waiting; /* 1, 0 or -1 */

	presence->is_waiting = is_waiting;
	occupancy.waiting += change;
	if (is_on_processor(presence))
		occupancy.useful -= change;
}

static void set_estimated_levels(void)
{
	uint32_t active =
		occupancy.alive > occupancy.waiting ? occupancy.alive - occupancy.waiting : 0;

	active = active < occupancy.count ? active : occupancy.count;
	levels_set(active, active);
}

static void set_levels(void)
{
	if (levels_are_seen())
		levels_set(occupancy.on, occupancy.useful);
	else
		set_estimated_levels();
}

/* ---- threads by kernel number ---- */

static struct presence *find_tid(uint32_t tid)
{
	struct presence **ways = occupancy.by_tid[tid % TID_BUCKETS];

	for (int i = 0; i < TID_WAYS; i++)
		if (ways[i] && ways[i]->tid == tid && ways[i]->is_alive)
			return ways[i];
	return NULL;
}

static void enter_tid(struct presence *presence)
{
	struct presence **ways = occupancy.by_tid[presence->tid % TID_BUCKETS];
	int at = 0;

	for (int i = 0; i < TID_WAYS; i++)
		if (!ways[i] || !ways[i]->is_alive || ways[i] == presence)
			at = i;
	ways[at] = presence;
}

/* ---- events ---- */

static void apply_switch(const struct event *event)
{
	struct presence *presence = find_tid(event->tid);

	switch (event->what) {
	case SWITCH_IN:
		set_processor(event->ring, (struct processor){event->tid, presence});
		if (presence && levels_are_seen())
			presence_come_on(presence, event->time_ns);
		break;
	case SWITCH_OUT_BLOCKED:
	case SWITCH_OUT_PREEMPTED:
		set_processor(event->ring, (struct processor){0, NULL});
		if (presence && levels_are_seen())
			presence_go_off(presence, event->time_ns,
					event->what == SWITCH_OUT_PREEMPTED);
		else if (presence)
			presence->is_preempted = event->what == SWITCH_OUT_PREEMPTED;
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
static bool find_processor(struct presence *presence)
{
	for (unsigned i = 0; i < switches_count(); i++)
		if (occupancy.processors[i].tid == presence->tid) {
			set_processor(i, (struct processor){presence->tid, presence});
			return true;
		}
	return false;
}

/* Records cover it from now on: not from its birth, because it may have been preempted before it
 * could write the event. A window's records are only of threads that existed when it was opened. */
static void begin_cover(struct presence *presence, uint64_t birth_ns)
{
	bool is_on = find_processor(presence);

	if (!levels_are_whole())
		return;
	presence->cover_since_ns = levels_last_ns();
	if (!is_on && birth_ns < presence->cover_since_ns)
		presence_go_off(presence, presence->cover_since_ns, true);
}

static void forget_processor(const struct presence *presence)
{
	for (unsigned i = 0; i < switches_count(); i++)
		if (occupancy.processors[i].presence == presence)
			set_processor(i, (struct processor){occupancy.processors[i].tid, NULL});
}

static void apply_birth(struct presence *presence, const struct event *event)
{
	if (presence->is_alive)
		return; /* applied already by a drain that a jump left */
	presence->is_alive = true;
	presence->cause = event->what >> WHAT_BITS;
	presence->waits_always = presence->cause != CAUSE_OTHER;
	set_waiting(presence, presence->waits_always);
	presence->cover_since_ns = 0;
	enter_tid(presence);
	occupancy.alive++;
	begin_cover(presence, event->time_ns);
}

static void end_life(struct presence *presence, uint64_t time_ns)
{
	presence_end_cover(presence, time_ns);
	presence->is_alive = false;
	occupancy.alive--;
	set_waiting(presence, false);
	forget_processor(presence);
}

/* If a thread is preempted between reading the clock and writing the event of its end, there are
 * later records of it: it lived until then. */
static uint64_t end_of_life(const struct presence *presence, uint64_t time_ns)
{
	struct row_threads *row = presence->row;

	if (presence->cover_since_ns <= time_ns)
		return time_ns;
	if (row->updated_ns < presence->cover_since_ns)
		row->updated_ns = presence->cover_since_ns;
	return presence->cover_since_ns;
}

static void apply_death(struct presence *presence, const struct event *event)
{
	if (presence->is_alive)
		end_life(presence, end_of_life(presence, event->time_ns));
	news_end(presence);
	/* release: the thread that reuses the record sees everything above done */
	__atomic_store_n(&presence->is_gone, 1, __ATOMIC_RELEASE);
}

static void apply_wait(struct presence *presence, const struct event *event)
{
	bool enters = (event->what & WHAT_MASK) == WHAT_ENTER;

	if (presence->waits_always)
		return;
	if (enters)
		presence->cause = event->what >> WHAT_BITS;
	if (event->amount)
		levels_take_useful(event->amount);
	if (enters == presence->is_waiting || !presence->is_alive)
		return;
	set_waiting(presence, enters);
}

static void apply_told(struct presence *presence, const struct event *event)
{
	switch (event->what & WHAT_MASK) {
	case WHAT_BORN:
		apply_birth(presence, event);
		break;
	case WHAT_DIED:
		apply_death(presence, event);
		break;
	default:
		apply_wait(presence, event);
	}
}

void occupancy_apply(const struct event *event)
{
	levels_advance(event->time_ns);
	if (event->presence)
		apply_told(event->presence, event);
	else
		apply_switch(event);
	set_levels();
}

/* ---- records begin and end ---- */

void occupancy_see_all(unsigned ring, uint32_t tid)
{
	levels_set_view(LEVELS_SEEN);
	if (ring < SWITCH_CPUS)
		set_processor(ring, (struct processor){tid, NULL});
}

/* It has been off a processor since before the window. */
static void begin_off(struct presence *presence, uint64_t now_ns)
{
	presence->off_since_ns = now_ns;
	presence->row->off_since_ns = now_ns;
}

/* Whether its CPU time advances. */
static bool is_running(const struct presence *presence)
{
	uint64_t before_ns = clock_other_cpu_ns((int32_t)presence->tid);

	return clock_other_cpu_ns((int32_t)presence->tid) > before_ns;
}

/* A thread without a record since its ring was opened has not switched: it is in a wait, which a
 * wrapper may not see, or on a processor all the time. */
static void see_unheard(struct presence *presence, unsigned ring, unsigned *room)
{
	bool runs = !presence->is_waiting && *room && is_running(presence);

	*room -= runs;
	presence->is_preempted = !presence->is_waiting;
	set_processor(ring, runs ? (struct processor){presence->tid, presence}
				 : (struct processor){0, NULL});
}

void occupancy_see(struct presence *const presences[], unsigned count, uint64_t now_ns)
{
	unsigned room;

	levels_set_view(LEVELS_IN_WINDOW);
	occupancy_count();
	room = occupancy.on < occupancy.count ? occupancy.count - occupancy.on : 0;
	for (unsigned i = 0; i < count; i++) {
		struct presence *presence = presences[i];

		if (!presence)
			continue;
		if (!switches_tail(i))
			see_unheard(presence, i, &room);
		presence->cover_since_ns = now_ns;
		presence->off_since_ns = 0;
		if (!is_on_processor(presence))
			begin_off(presence, now_ns);
	}
	set_levels();
}

void occupancy_lose_sight(void)
{
	levels_set_view(LEVELS_UNSEEN);
	for (unsigned i = 0; i < SWITCH_CPUS; i++)
		set_processor(i, (struct processor){0, NULL});
	set_levels();
}
