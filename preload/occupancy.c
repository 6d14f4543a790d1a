/* SPDX-License-Identifier: MIT */
#include "occupancy.h"

#include "levels.h"
#include "news.h"
#include "note.h"
#include "process_row.h"
#include "switches.h"

#include <string.h>

enum { TID_BUCKETS = 4096, TID_WAYS = 4 };

struct processor {
	uint32_t tid; /* 0: not one of ours */
	struct presence *presence;
};

static struct {
	unsigned count;                           /* of processors that may be used */
	uint32_t alive, waiting;                  /* threads, for the estimate */
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

static void set_seen_levels(void)
{
	uint32_t on = 0, useful = 0;

	for (unsigned i = 0; i < switches_count(); i++) {
		const struct processor *processor = &occupancy.processors[i];
		const struct presence *presence = processor->presence;
		on += processor->tid != 0;
		useful += processor->tid && !(presence && presence->is_waiting);
	}
	levels_set(on, useful);
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
		set_seen_levels();
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
	struct processor *processor = &occupancy.processors[event->ring];
	struct presence *presence = find_tid(event->tid);

	switch (event->what) {
	case SWITCH_IN:
		*processor = (struct processor){event->tid, presence};
		if (presence)
			presence_come_on(presence, event->time_ns);
		break;
	case SWITCH_OUT_BLOCKED:
	case SWITCH_OUT_PREEMPTED:
		*processor = (struct processor){0, NULL};
		if (presence)
			presence_go_off(presence, event->time_ns,
					event->what == SWITCH_OUT_PREEMPTED);
		break;
	case SWITCH_EXIT:
		*processor = (struct processor){0, NULL};
		break;
	default:
		process_row->switches_lost += event->tid;
		note_once(NOTE_LOST_SWITCHES, 0);
	}
}

/* A thread that is just born runs, so the record of its getting on a processor came before. False:
 * it has left that processor since. */
static bool find_processor(struct presence *presence)
{
	for (unsigned i = 0; i < switches_count(); i++)
		if (occupancy.processors[i].tid == presence->tid) {
			occupancy.processors[i].presence = presence;
			return true;
		}
	return false;
}

/* Records tell of it from now on: not from its birth, if time has passed since then because it was
 * preempted before it could tell. The records of a window are of threads that were there before. */
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
			occupancy.processors[i].presence = NULL;
}

static void apply_birth(struct presence *presence, const struct event *event)
{
	if (presence->is_alive)
		return; /* a drain that was left in between has seen to it */
	presence->is_alive = true;
	presence->cause = event->what >> WHAT_BITS;
	presence->waits_always = presence->is_waiting = presence->cause != CAUSE_OTHER;
	occupancy.waiting += presence->is_waiting;
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
	if (presence->is_waiting)
		occupancy.waiting--;
	presence->is_waiting = false;
	forget_processor(presence);
}

/* A thread that is preempted between reading the clock and telling of its end is told of by records
 * of a later time: it lived until then. */
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
	/* release: whoever reuses the record finds everything above done */
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
	presence->is_waiting = enters;
	occupancy.waiting += enters ? 1u : -1u;
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
		occupancy.processors[ring].tid = tid;
}

void occupancy_see(struct presence *const presences[], unsigned count, uint64_t now_ns)
{
	unsigned room = occupancy.count;

	levels_set_view(LEVELS_IN_WINDOW);
	for (unsigned i = 0; i < count; i++) {
		struct presence *presence = presences[i];
		bool runs = !presence->is_waiting && room;
		room -= runs;
		occupancy.processors[i] = runs ? (struct processor){presence->tid, presence}
					       : (struct processor){0, NULL};
		presence->cover_since_ns = now_ns;
		presence->off_since_ns = 0;
	}
	set_levels();
}

void occupancy_lose_sight(void)
{
	levels_set_view(LEVELS_UNSEEN);
	memset(occupancy.processors, 0, sizeof occupancy.processors);
	set_levels();
}
