/* SPDX-License-Identifier: MIT */
#include "analyze/report/sections.h"

#include <json-c/json.h>

static bool has_processes(const struct report *report)
{
	return report->run->process_count > 1;
}

static bool has_notes(const struct report *report)
{
	return report->run->notes.count > 0;
}

struct json_object *report_null_json(const struct report *report)
{
	(void)report;
	return NULL;
}

struct json_object *report_empty_json(const struct report *report)
{
	(void)report;
	return json_object_new_array();
}

/* In the order of the report. Rows without a print_text are keys of the JSON only. */
const struct report_section report_sections[] = {
	{"overview", "what ran, which share of the processors' time it used, and what to fix first.", "run", NULL,
	 report_overview_text, report_overview_json},
	{"concurrency",
	 "time with exactly i threads on a processor; useful: and in no wait; time with nobody (i = 0) lowers average and "
	 "efficiency, and the sequential share only through the elapsed time.",
	 "concurrency", NULL, report_concurrency_text, report_concurrency_json},
	{"threads",
	 "a thread's lifetime = user + system + ready (no processor free) + blocked, and for what it was blocked.",
	 "threads", NULL, report_threads_text, report_threads_json},
	{"synchronization",
	 "all calls on an object, those that waited, their waiting time and its longest; waits: where most of it was spent; by: "
	 "who caused most of it.",
	 "synchronization", NULL, report_synchronization_text, report_synchronization_json},
	{"routines",
	 "CPU time by routine: self (its own code, with sampling error), total (with callees), alone (nobody else on a "
	 "processor), average threads running meanwhile, its largest share in one thread.",
	 "routines", NULL, report_routines_text, report_routines_json},
	{"processes", "one line per process image, in the order of their starts.", "processes", has_processes,
	 report_processes_text, report_processes_json},
	{"findings",
	 "what keeps the processors from useful work, with the share of their time that could be won at most (shares overlap).",
	 "findings", NULL, report_findings_text, report_findings_json},
	{"notes", "what could not be seen, and why.", "notes", has_notes, report_notes_text, report_notes_json},
	{"calls", "", "calls", NULL, NULL, report_calls_json},
	{"mpi", "", "mpi", NULL, NULL, report_null_json},
	{"openmp", "", "openmp", NULL, NULL, report_null_json},
	{"counters", "", "counters", NULL, NULL, report_empty_json},
};
const size_t report_section_count = sizeof report_sections / sizeof *report_sections;
