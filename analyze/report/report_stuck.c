/* SPDX-License-Identifier: MIT */
/* Waits that do not end: who waits for whom. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/stuck/stuck_words.h"
#include "analyze/print/json.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

/* ---- rows */

static bool is_waiting(const struct stuck_wait *wait)
{
	return wait->state != STUCK_RUNS;
}

static char *what_text(const struct stuck_wait *wait)
{
	if (!is_waiting(wait))
		return memory_copy_text("");
	return memory_print("%s%s%s", wait->call, *wait->object ? " " : "", wait->object);
}

static const struct run_process *file_of(const struct report *report, const struct stuck_wait *wait)
{
	return report->run->processes[wait->process].file;
}

/* NULL: nobody. */
static char *whom_text(const struct report *report, const struct stuck_wait *wait)
{
	const struct stuck *stuck = &report->run->stuck;
	char *whom = stuck_whom(stuck, report->run->processes, (size_t)(wait - stuck->waits));

	if (*whom)
		return whom;
	free(whom);
	return NULL;
}

static struct json_object *numbers_json(const size_t *numbers, size_t count)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		json_object_array_add(list, json_count(numbers[i]));
	return list;
}

/* The number of the verdict that the wait is in. */
static struct value verdict_of(const struct stuck *stuck, const struct stuck_wait *wait)
{
	size_t number = (size_t)(wait - stuck->waits);

	for (size_t i = 0; i < stuck->verdict_count; i++)
		for (size_t j = 0; j < stuck->verdicts[i].count; j++)
			if (stuck->verdicts[i].waits[j] == number)
				return (struct value){.kind = VALUE_COUNT, .whole = i};
	return (struct value){.kind = VALUE_NONE};
}

#define ROW      const struct stuck_wait
#define ROW_NAME stuck
#include "analyze/report/define_fields.h"

#define ROW      const struct stuck_verdict
#define ROW_NAME stuck_verdicts
#include "analyze/report/define_fields.h"

/* ---- text */

static void print_verdicts(const struct report *report)
{
	const struct stuck *stuck = &report->run->stuck;

	for (size_t i = 0; i < report_rows(report, stuck->verdict_count); i++)
		report_print_wrapped(report, "  - ", stuck->verdicts[i].text);
	report_print_rest(report, stuck->verdict_count);
}

static void print_source(const struct report *report)
{
	const struct stuck *stuck = &report->run->stuck;
	bool is_certain = !stuck->verdict_count;

	for (size_t i = 0; i < stuck->verdict_count; i++)
		is_certain |= stuck->verdicts[i].is_certain;
	char *text = memory_print(
		"%zu of %s %s %sin waits that nobody is left to end, %s", stuck->stuck_count,
		quantity_things((double)stuck->count, "thread").text,
		stuck->stuck_count == 1 ? "is" : "are", is_certain ? "" : "possibly ",
		stuck->is_live ? "by looking at what lives" : "by the last states in the profiles");

	report_print_wrapped(report, "  ", text);
	free(text);
}

/* The stuck ones first. */
static void print_waits(const struct report *report, struct row_table *table)
{
	const struct stuck *stuck = &report->run->stuck;
	size_t left = report_rows(report, stuck->count);

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < stuck->count && left; i++)
			if ((stuck->waits[i].state == STUCK_STUCK) == !pass) {
				row_table_add(table, &stuck->waits[i]);
				left--;
			}
}

void report_stuck_text(const struct report *report)
{
	const struct stuck *stuck = &report->run->stuck;

	if (!stuck->count) {
		report_print_wrapped(report, "  ", "the run is over: no thread waits any more");
		return;
	}
	struct row_table *table = row_table_create(report, &stuck_fields);

	print_source(report);
	print_verdicts(report);
	print_waits(report, table);
	row_table_print(table);
	report_print_rest(report, stuck->count);
}

/* ---- JSON */

struct json_object *report_stuck_json(const struct report *report)
{
	const struct stuck *stuck = &report->run->stuck;

	if (!stuck->count)
		return NULL; /* the run is over */
	struct json_object *object = json_object_new_object();

	json_add(object, "looked", json_text(stuck->is_live ? "twice" : "at the profiles"));
	json_add(object, "threads", json_count(stuck->count));
	json_add(object, "stuck_threads", json_count(stuck->stuck_count));
	json_add(object, "verdicts",
		 rows_json(report, &stuck_verdicts_fields, stuck->verdicts, stuck->verdict_count,
			   sizeof *stuck->verdicts));
	json_add(
		object, "waits",
		rows_json(report, &stuck_fields, stuck->waits, stuck->count, sizeof *stuck->waits));
	return object;
}
