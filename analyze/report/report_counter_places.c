/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_counter_places.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/vocabulary_text.h"

#include <math.h>

double report_counter_imbalance(const struct spread *spread)
{
	return spread->mean_ns > 0 ? 100 * (spread->max_ns / spread->mean_ns - 1) : NAN;
}

const struct counter_places *report_counter_threads(const struct report *report)
{
	const struct counter_places *of = report->run->counters.of;

	return report->is_by_process || report->run->is_folded ? &of[COUNTER_PROCESS]
							       : &of[COUNTER_THREAD];
}

const char *report_counter_cause(const struct counter_place *place)
{
	if (place->a == COUNTER_WHOLE)
		return "[unsampled]";
	return place->a ? vocabulary_cause(place->a) : "(no wait)";
}

const struct thread_time *report_counter_thread(const struct report *report,
						const struct counter_place *place)
{
	const struct process *process = &report->run->processes[place->a];

	return place->kind == COUNTER_THREAD && place->b < process->thread_count
		       ? &process->threads[place->b]
		       : NULL;
}

char *report_counter_unit(const struct report *report, const struct counter_place *place)
{
	const struct process *process = &report->run->processes[place->a];
	const struct thread_time *time = report_counter_thread(report, place);
	uint32_t pid = process->file->header.pid;

	if (!time)
		return memory_print("%u %s", pid, process->file->process.command);
	if (report->run->process_count > 1)
		return memory_print("%s (%u, %llu)", time->shown_name, pid,
				    (unsigned long long)time->thread->tid);
	return memory_print("%s (%llu)", time->shown_name, (unsigned long long)time->thread->tid);
}
