/* SPDX-License-Identifier: MIT */
#include "preload/samples/sample_call.h"

#include "preload/base/clock.h"
#include "preload/base/signal_block.h"
#include "preload/concurrency/concurrency.h"
#include "preload/file/store.h"
#include "preload/samples/sample_rows.h"
#include "preload/python/python_walk.h"
#include "preload/sections/section_root.h"
#include "preload/stacks/callpath.h"
#include "preload/thread/thread_life.h"

#include <string.h>

void sample_call_begins(struct thread *thread)
{
	thread->call_cpu_ns = 0;
	thread->call_since_ns = clock_thread_cpu_ns();
}

/* No sample comes before the timer goes on, and the next one claims what is left. */
void sample_call_ended(struct thread *thread)
{
	if (thread->call_since_ns && thread->sampled_cpu_ns <= thread->call_since_ns) {
		thread->call_cpu_ns = clock_thread_cpu_ns() - thread->call_since_ns;
		thread->sampled_cpu_ns += thread->call_cpu_ns;
	}
	thread->call_since_ns = 0;
}

/* The stack of the caller, and the routine's first instruction within. */
static uint32_t path_of(struct thread *thread, uint64_t routine, const struct site *site)
{
	struct unwind_path *walk = &thread->sample_walk;
	const struct unwind_frame frame = site_frame(site);

	python_walk(&frame, &thread->stack, walk, NULL);
	if (walk->count == UNWIND_DEPTH) {
		walk->count--;
		walk->is_truncated = true;
	}
	memmove(&walk->place[1], &walk->place[0], walk->count * sizeof *walk->place);
	walk->place[0] = routine | UNWIND_EXACT;
	walk->count++;
	return callpath_of(walk, section_root(thread));
}

static void count(struct thread *thread, uint64_t routine, const struct site *site)
{
	uint32_t path = path_of(thread, routine, site);
	struct row_samples *row =
		sample_row(thread, &thread->sample_walk, path, concurrency_level(), CAUSE_OTHER);

	thread->row->samples++;
	if (!row)
		return;
	row->cpu_ns += thread->call_cpu_ns;
	row->count++;
}

void sample_call_count(struct thread *thread, uint64_t routine, const struct site *site)
{
	if (!thread || !thread->row || thread->timer < 0 || !thread->call_cpu_ns ||
	    !store_header() || thread_is_final())
		return;
	uint64_t mask = signals_block();

	store_forbid_waiting(true);
	count(thread, routine, site);
	store_forbid_waiting(false);
	thread->call_cpu_ns = 0;
	signals_restore(mask);
}
