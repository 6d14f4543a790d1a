/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/switch_windows.h"

#include "preload/base/clock.h"
#include "preload/base/signal_block.h"
#include "preload/concurrency/parallelism.h"
#include "preload/concurrency/scheduler_state.h"
#include "preload/concurrency/switches.h"
#include "preload/file/note.h"
#include "preload/process/settings.h"

#include <string.h>

enum {
	RECORD_COST_NS = 350, /* measured: 0.6 to 0.7 us for a switch, which makes two records */
	RATE_NS = 50000000,   /* the rate is measured over this time */
	/* Windows, if records all the time would cost too much: where switching costs 6 % more, 20
	 * of 500 ms are 0.2 %. */
	OBSERVED_NS = 20000000,
	PAUSE_NS = 480000000,
	PAUSE_COSTS = 100, /* and at least so many times as long as opening took */
	/* If opening takes longer than this, and so much for each thread (20 to 40 us were
	 * measured), it waits for the kernel to patch itself: there is no further window. */
	DEAR_NS = 3000000,
	DEAR_THREAD_NS = 100000,
	OBSERVED_THREADS = 512, /* with more threads, opening takes longer than the window */
};

static struct {
	/* the rate of records */
	uint64_t since_ns, since_cpu_ns;
	uint32_t records;
	/* records in windows */
	bool are_used;
	bool are_long;    /* they end only for a reason */
	uint32_t threads; /* rings of threads, in use or not, when the window was opened */
	uint64_t pause_ns;
	unsigned opened;         /* rings of a window that has not begun */
	uint64_t next_change_ns; /* end of the window if records are taken, else the next begin */
	/* of the window that is being opened; not on the program's stack */
	struct event_ring *seen[OBSERVED_THREADS];
	uint32_t tids[OBSERVED_THREADS];
} windows;

void switch_windows_start(void)
{
	memset(&windows, 0, sizeof windows);
}

void switch_windows_measure(uint64_t now_ns)
{
	windows.since_ns = now_ns;
	windows.since_cpu_ns = parallelism_cpu_ns();
	windows.records = 0;
}

static void close_switches(uint64_t now_ns)
{
	uint32_t threads = event_ring_count();

	for (uint32_t i = 0; i < threads; i++) {
		struct event_ring *event_ring = event_ring_of(i);
		if (event_ring && event_ring->is_alive)
			event_ring_end_cover(event_ring, now_ns);
	}
	switches_close();
	scheduler_state_lose_sight();
}

/* Unlike the rest of a drain, this and the opening and closing of windows must not be done twice:
 * signals are blocked. */
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
	if (!parallelism_is_seen() || windows.are_used)
		return;
	note_once(NOTE_SWITCHES_LEFT, 0);
	take_windows(now_ns);
}

void switch_windows_begin_late(uint64_t now_ns)
{
	windows.are_used = windows.are_long = true;
	windows.next_change_ns = now_ns;
}

/* From now on windows are short ones. */
static void shorten(uint64_t now_ns)
{
	windows.are_long = false;
	windows.next_change_ns = now_ns;
}

/* The cost of records is time in the kernel's scheduler. */
void switch_windows_keep_budget(uint64_t now_ns, uint32_t records)
{
	uint64_t last_ns = parallelism_last_ns(), elapsed = last_ns - windows.since_ns;

	windows.records += records;
	if (!parallelism_is_seen() || (windows.are_used && !windows.are_long) || elapsed < RATE_NS)
		return;
	uint64_t cost = (uint64_t)windows.records * RECORD_COST_NS;
	uint64_t allowed =
		(parallelism_cpu_ns() - windows.since_cpu_ns) / 100 * settings.budget_percent;
	if (cost > allowed && windows.records > 1000) {
		uint64_t rate = windows.records * UINT64_C(500000000) / elapsed;
		note_once(NOTE_SWITCHES_STOPPED, (uint32_t)rate);
		if (windows.are_used)
			shorten(now_ns);
		else
			take_windows(now_ns);
	}
	switch_windows_measure(last_ns);
}

/* The threads that a window can see. Returns their number; 0: too many. */
static unsigned collect_threads(void)
{
	uint32_t threads = event_ring_count();
	unsigned count = 0;

	for (uint32_t i = 0; i < threads; i++) {
		struct event_ring *event_ring = event_ring_of(i);
		if (!event_ring || !event_ring->is_alive)
			continue;
		if (count == OBSERVED_THREADS)
			return 0;
		windows.seen[count] = event_ring;
		windows.tids[count++] = event_ring->tid;
	}
	return count;
}

/* Opening takes long for many threads, and the state at its begin may have changed: so the window
 * begins with the next drain, which has the events of that time. */
static void open_rings(uint64_t now_ns)
{
	unsigned count = collect_threads();

	windows.next_change_ns = now_ns + PAUSE_NS;
	if (!count || switches_open_threads(windows.tids, count))
		return;
	uint64_t cost_ns = clock_now_ns() - now_ns;
	windows.opened = count;
	windows.threads = event_ring_count();
	windows.next_change_ns = now_ns;
	windows.pause_ns = cost_ns * PAUSE_COSTS + (windows.are_long ? 0 : PAUSE_NS);
	if (cost_ns > DEAR_NS + count * DEAR_THREAD_NS)
		windows.pause_ns = UINT64_MAX / 2;
}

static void begin_window(void)
{
	for (unsigned i = 0; i < windows.opened; i++) {
		const struct event_ring *event_ring = windows.seen[i];
		if (!event_ring->is_alive || event_ring->tid != windows.tids[i])
			windows.seen[i] = NULL;
	}
	scheduler_state_see(windows.seen, windows.opened, parallelism_last_ns());
	windows.opened = 0;
	windows.next_change_ns = parallelism_last_ns() + OBSERVED_NS;
	if (windows.are_long)
		switch_windows_measure(parallelism_last_ns());
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
	if (parallelism_is_seen() && windows.are_long && windows.threads == event_ring_count())
		return;
	uint64_t mask = signals_block();
	if (parallelism_is_seen())
		end_window(now_ns);
	else if (windows.opened)
		begin_window();
	else
		open_rings(now_ns);
	signals_restore(mask);
}
