/* SPDX-License-Identifier: MIT */
#include "preload/thread/thread_processors.h"

#include "preload/file/schema.h"

#include <stdbool.h>

static bool is_same(struct processor_set one, struct processor_set other)
{
	return one.count == other.count && one.first == other.first;
}

/* A majority vote (Boyer and Moore), in which each nanosecond has a voice: who has more than half
 * of them is left over, however often the processors change. */
static void vote(struct thread_processors *known, struct processor_set now, uint64_t ns)
{
	if (is_same(known->usual, now)) {
		known->usual_ns += ns;
	} else if (ns > known->usual_ns) {
		known->usual = now;
		known->usual_ns = ns - known->usual_ns;
	} else {
		known->usual_ns -= ns;
	}
}

void thread_processors_begin(struct thread_processors *known, const struct row_threads *row)
{
	struct processor_set earlier = {row->processors, row->processor_first};

	*known = (struct thread_processors){
		.most = earlier,
		.usual = earlier,
		.usual_ns = row->ready_ns,
		.ready_ns = row->ready_ns,
	};
}

void thread_processors_note(struct thread_processors *known, struct row_threads *row,
			    struct processor_set now)
{
	uint64_t ready_ns = row->ready_ns;

	if (now.count >= known->most.count)
		known->most = now;
	if (ready_ns > known->ready_ns)
		vote(known, now, ready_ns - known->ready_ns);
	known->ready_ns = ready_ns;
	bool is_usual = known->usual_ns && known->usual_ns >= ready_ns / 2;
	struct processor_set had = is_usual ? known->usual : known->most;

	row->processors = had.count;
	row->processor_first = had.first;
}
