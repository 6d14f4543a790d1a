/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_within.h"

#include "analyze/base/memory.h"
#include "analyze/print/json.h"
#include "analyze/report/report_order.h"

#include <stdlib.h>
#include <string.h>

/* In the order of a report. */
static const struct {
	const char *section, *lacks;
	bool is_of_mpi, is_asked_for; /* in a report only of MPI jobs; only where it is named */
} parts[] = {
	{"threads",
	 "time, CPU time and waits of threads in it; blocked is the rest, time without a processor "
	 "included; not its part in the kernel, switches and page faults",
	 false, false},
	{"synchronization",
	 "waits that carry its mark; not calls that did not wait, and who caused the waits", false,
	 false},
	{"waits", "waits that carry its mark", false, true},
	{"routines",
	 "samples and waits that carry its mark; elapsed time by the threads on a processor at each "
	 "sample, of whatever part",
	 false, false},
	{"tree", "samples that carry its mark", false, true},
	{"wait_tree", "waits that carry its mark", false, true},
	{"mpi_calls", "calls that carry its mark; shares are of the part's elapsed time", true,
	 false},
	{"mpi_sites", "calls that carry its mark; shares are of the part's elapsed time", true,
	 false},
	{"findings",
	 "what its samples and waits show; not what follows from T_i, from who caused waits, from "
	 "calls that did not wait, from OpenMP and from other tables",
	 false, false},
};

#define COUNT (sizeof parts / sizeof *parts)

const char *report_within_lacks(const char *section)
{
	for (size_t i = 0; i < COUNT; i++)
		if (!strcmp(parts[i].section, section))
			return parts[i].lacks;
	return NULL;
}

/* Appends a word; takes ownership of the text. */
static char *with_word(char *text, const char *before, const char *word)
{
	char *longer = memory_print("%s%s%s", text, *text ? before : "", word);

	free(text);
	return longer;
}

char *report_within_possible(void)
{
	char *text = memory_copy_text("");

	for (size_t i = 0; i < COUNT; i++)
		text = with_word(text, i + 1 < COUNT ? ", " : " and ", parts[i].section);
	return text;
}

char *report_within_names(const struct run *run)
{
	char *text = memory_copy_text("");

	for (size_t i = 0; i < COUNT; i++)
		if (!parts[i].is_asked_for && (!parts[i].is_of_mpi || run->mpi.is_used))
			text = with_word(text, ",", parts[i].section);
	return text;
}

bool report_within_is_found(const char *finding)
{
	static const char *const ids[] = {
		"mpi-site",  "gil",        "spin-wait",       "busy-wait",
		"allocator", "libc-locks", "lock-contention", "barrier-wait",
		"sleep",     "io-wait",    "condition-wait",  "few-samples"};

	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		if (!strcmp(ids[i], finding))
			return true;
	return false;
}

void report_within_print(const struct report *report, const char *section)
{
	const char *lacks = report_within_lacks(section);

	if (!report->within || !lacks)
		return;
	char *text = memory_print("within %s: %s", report->within, lacks);

	report_print_wrapped(report, "  ", text);
	free(text);
}

struct json_object *report_within_json(const struct report *report, const char *names)
{
	struct json_object *object = json_object_new_object(), *lacks = json_object_new_object();

	for (size_t i = 0; i < COUNT; i++)
		if (report_is_named(names, parts[i].section))
			json_add(lacks, parts[i].section, json_text(parts[i].lacks));
	json_add(object, "section", json_text(report->within));
	json_add(object, "elapsed_seconds", json_seconds(report->run->elapsed_ns));
	json_add(object, "lacks", lacks);
	return object;
}
