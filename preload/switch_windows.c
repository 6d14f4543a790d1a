/* SPDX-License-Identifier: MIT */
#include "switch_windows.h"

#include "clock.h"
#include "levels.h"
#include "note.h"
#include "occupancy.h"
#include "settings.h"
#include "signal_block.h"
#include "switches.h"

#include <string.h>

enum {
	RECORD_COST_NS = 350, /* measured: 0.6 to 0.7 us for a switch, which makes two records */
	RATE_NS = 50000000,   /* over so long the rate is measured */
	/* Windows, where records all the time would be too dear: at 6 % more for switching, 20 of
	   500 ms are 0.2 %. */
	OBSERVED_NS = 20000000,
	PAUSE_NS = 480000000,
	PAUSE_COSTS = 100, /* and at least so many times what opening took */
	DEAR_NS = 3000000, /* opening that takes longer waits for the kernel to patch itself: never
			      again */
	OBSERVED_THREADS = 32, /* with more threads, opening takes too long */
};

static struct {
	/* the rate of records */
	uint64_t since_ns, since_cpu_ns;
	uint32_t records;
	/* records in windows */
	bool are_used;
	uint64_t pause_ns;
	uint64_t next_change_ns; /* of a window: its end if records are taken, else the next one's
				    begin */
} windows;

void switch_windows_start(void)
{
	memset(&windows, 0, sizeof windows);
}

void switch_windows_measure(uint64_t now_ns)
{
	windows.since_ns = now_ns;
	windows.since_cpu_ns = levels_cpu_ns();
	windows.records = 0;
}

static void close_switches(uint64_t now_ns)
{
	uint32_t threads = presence_count();

	for (uint32_t i = 0; i < threads; i++) {
		struct presence *presence = presence_of(i);
		if (presence && presence->is_alive)
			presence_end_cover(presence, now_ns);
	}
	switches_close();
	occupancy_lose_sight();
}

/* This and what opens and ends windows is not done twice, as the rest of a drain may be: no signal
 * comes between. */
static void take_windows(uint64_t now_ns)
{
	uint64_t mask = signals_block();

	close_switches(now_ns);
	windows.are_used = true;
	windows.next_change_ns = now_ns + PAUSE_NS / 4;
	signals_restore(mask);
}

void switch_windows_leave_processors(uint64_t now_ns)
{
	if (!levels_are_seen() || windows.are_used)
		return;
	note_once(NOTE_SWITCHES_LEFT, 0);
	take_windows(now_ns);
}

/* Records cost time in the kernel's scheduler. */
void switch_windows_keep_budget(uint64_t now_ns, uint32_t records)
{
	uint64_t last_ns = levels_last_ns(), elapsed = last_ns - windows.since_ns;

	windows.records += records;
	if (!levels_are_seen() || windows.are_used || elapsed < RATE_NS)
		return;
	uint64_t cost = (uint64_t)windows.records * RECORD_COST_NS;
	uint64_t allowed = (levels_cpu_ns() - windows.since_cpu_ns) / 100 * settings.budget_percent;
	if (cost > allowed && windows.records > 1000) {
		uint64_t rate = windows.records * UINT64_C(500000000) / elapsed;
		note_once(NOTE_SWITCHES_STOPPED, (uint32_t)rate);
		take_windows(now_ns);
	}
	switch_windows_measure(last_ns);
}

/* The threads that a window can see. Returns their number; 0: too many. */
static unsigned collect_threads(struct presence *seen[OBSERVED_THREADS],
				uint32_t tids[OBSERVED_THREADS])
{
	uint32_t threads = presence_count();
	unsigned count = 0;

	for (uint32_t i = 0; i < threads; i++) {
		struct presence *presence = presence_of(i);
		if (!presence || !presence->is_alive)
			continue;
		if (count == OBSERVED_THREADS)
			return 0;
		seen[count] = presence;
		tids[count++] = presence->tid;
	}
	return count;
}

static void open_window(uint64_t now_ns)
{
	struct presence *seen[OBSERVED_THREADS];
	uint32_t tids[OBSERVED_THREADS];
	unsigned count = collect_threads(seen, tids);

	windows.next_change_ns = now_ns + PAUSE_NS;
	if (!count || switches_open_threads(tids, count))
		return;
	uint64_t opened_ns = clock_now_ns(), cost_ns = opened_ns - now_ns;
	levels_advance(opened_ns);
	occupancy_see(seen, count, opened_ns);
	windows.next_change_ns = opened_ns + OBSERVED_NS;
	windows.pause_ns = cost_ns > DEAR_NS ? UINT64_MAX / 2 : PAUSE_NS + cost_ns * PAUSE_COSTS;
}

static void end_window(uint64_t now_ns)
{
	close_switches(now_ns);
	windows.next_change_ns = clock_now_ns() + windows.pause_ns;
}

void switch_windows_turn(uint64_t now_ns)
{
	if (!windows.are_used || now_ns < windows.next_change_ns)
		return;
	uint64_t mask = signals_block();
	if (levels_are_seen())
		end_window(now_ns);
	else
		open_window(now_ns);
	signals_restore(mask);
}
