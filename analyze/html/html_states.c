/* SPDX-License-Identifier: MIT */
#include "analyze/html/html_states.h"

#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_threads.h"

#include <stdlib.h>

static const char *const classes[STATE_COUNT] = {
	[STATE_USER] = "user",
	[STATE_SYSTEM] = "system",
	[STATE_READY] = "ready",
	[STATE_LOCK] = "lock",
	[STATE_CONDITION] = "condition",
	[STATE_BARRIER] = "barrier",
	[STATE_MPI] = "mpi",
	[STATE_OPENMP] = "openmp",
	[STATE_SLEEP] = "sleep",
	[STATE_OTHER] = "other",
	[STATE_IO] = "io",
	[STATE_IDLE] = "idle",
};

static char *part_title(const struct thread_time *time, const char *name, enum thread_state state)
{
	double ns = (double)thread_state_ns(time, state);
	char *seconds = text_seconds(ns);
	char *share = text_percent(100 * ns / (double)time->lifetime_ns);
	char *title = memory_print("%s\n%s: %s, %s of its life", name, thread_state_text(state),
				   seconds, share);

	free(seconds);
	free(share);
	return title;
}

void html_states_parts(struct html_bars *bars, const struct thread_time *time, const char *name)
{
	double start = 0;

	for (enum thread_state state = 0; state < STATE_COUNT; state++) {
		double ns = (double)thread_state_ns(time, state);

		if (ns > 0)
			html_bars_part(bars, classes[state], start, ns,
				       part_title(time, name, state));
		start += ns;
	}
}

void html_states_end(struct html_bars *bars)
{
	struct html_key keys[STATE_COUNT];

	for (enum thread_state state = 0; state < STATE_COUNT; state++)
		keys[state] = (struct html_key){classes[state], thread_state_text(state)};
	html_bars_end(bars, keys, STATE_COUNT);
}
