/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_clock_notes.h"

#include "analyze/base/quantity.h"
#include "analyze/model/process/process_clock.h"
#include "analyze/model/run/run.h"

void run_note_clocks(struct run *run)
{
	int64_t apart_ns = process_clocks_apart_ns(run->processes, run->process_count);

	if (apart_ns)
		text_list_add(
			&run->notes,
			"clocks of processes on one host differ by up to %s (time namespaces, "
			"a faked clock, or the time of day was set meanwhile): their instants "
			"are compared by the time of day",
			quantity_seconds((double)apart_ns).text);
}
