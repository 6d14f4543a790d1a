/* SPDX-License-Identifier: MIT */
/* Waits that do not end: who waits for whom. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/stuck/stuck_words.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

/* ---- text */

static char *what_text(const struct stuck_wait *wait)
{
	if (wait->state == STUCK_RUNS)
		return memory_copy_text("");
	return memory_print("%s%s%s", wait->call, *wait->object ? " " : "", wait->object);
}

static void add_row(const struct report *report, struct text_table *table, size_t index)
{
	const struct stuck *stuck = &report->run->stuck;
	const struct stuck_wait *wait = &stuck->waits[index];
	bool is_waiting = wait->state != STUCK_RUNS;

	text_table_add(table, text_rank(wait->rank));
	text_table_add(table, text_count(report->run->processes[wait->process].file->header.pid));
	text_table_add(table, text_count(wait->tid));
	text_table_add(table, memory_copy_text(wait->name));
	text_table_add(table, memory_copy_text(stuck_state_text(wait->state)));
	text_table_add(table,
		       is_waiting ? text_seconds((double)wait->wait_ns) : memory_copy_text(""));
	text_table_add(table, what_text(wait));
	text_table_add(table, stuck_whom(stuck, report->run->processes, index));
	text_table_add(table, memory_copy_text(wait->place ? wait->place : "?"));
}

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
static void print_waits(const struct report *report, struct text_table *table)
{
	const struct stuck *stuck = &report->run->stuck;
	size_t left = report_rows(report, stuck->count);

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < stuck->count && left; i++)
			if ((stuck->waits[i].state == STUCK_STUCK) == !pass) {
				add_row(report, table, i);
				left--;
			}
}

void report_stuck_text(const struct report *report)
{
	static const struct text_column columns[] = {
		{"rank", TEXT_RIGHT}, {"pid", TEXT_RIGHT},  {"tid", TEXT_RIGHT},
		{"name", TEXT_LEFT},  {"state", TEXT_LEFT}, {"for", TEXT_RIGHT},
		{"in", TEXT_LEFT},    {"whom", TEXT_LEFT},  {"at", TEXT_FLEXIBLE},
	};
	const struct stuck *stuck = &report->run->stuck;

	if (!stuck->count) {
		report_print_wrapped(report, "  ", "the run is over: no thread waits any more");
		return;
	}
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);

	print_source(report);
	print_verdicts(report);
	print_waits(report, table);
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, stuck->count);
}

/* ---- JSON */

static struct json_object *numbers_json(const size_t *numbers, size_t count)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		json_object_array_add(list, json_count(numbers[i]));
	return list;
}

static struct json_object *verdict_json(const struct stuck_verdict *verdict)
{
	struct json_object *object = json_object_new_object();

	json_add(object, "kind", json_text(stuck_kind_text(verdict->kind)));
	json_add(object, "confidence", json_text(verdict->is_certain ? "certain" : "possible"));
	json_add(object, "waits", numbers_json(verdict->waits, verdict->count));
	json_add(object, "text", json_text(verdict->text));
	return object;
}

/* The number of the verdict that the wait is in. */
static struct json_object *verdict_of(const struct stuck *stuck, size_t wait)
{
	for (size_t i = 0; i < stuck->verdict_count; i++)
		for (size_t j = 0; j < stuck->verdicts[i].count; j++)
			if (stuck->verdicts[i].waits[j] == wait)
				return json_count(i);
	return NULL;
}

static void add_whom(const struct report *report, struct json_object *object, size_t index)
{
	const struct stuck *stuck = &report->run->stuck;
	const struct stuck_wait *wait = &stuck->waits[index];
	char *whom = stuck_whom(stuck, report->run->processes, index);

	json_add(object, "whom", *whom ? json_text(whom) : NULL);
	json_add(object, "others", numbers_json(wait->others, wait->other_count));
	json_add(object, "source", json_text(stuck_source_text(wait->source)));
	json_add(object, "certain", json_object_new_boolean(wait->is_certain));
	json_add(object, "verdict", verdict_of(stuck, index));
	free(whom);
}

static struct json_object *wait_json(const struct report *report, size_t index)
{
	const struct stuck_wait *wait = &report->run->stuck.waits[index];
	const struct run_process *file = report->run->processes[wait->process].file;
	bool is_waiting = wait->state != STUCK_RUNS;
	struct json_object *object = json_object_new_object();

	json_add(object, "rank", json_rank(wait->rank));
	json_add(object, "host", json_text(file->process.host));
	json_add(object, "pid", json_count(file->header.pid));
	json_add(object, "tid", json_count(wait->tid));
	json_add(object, "name", json_text(wait->name));
	json_add(object, "state", json_text(stuck_state_text(wait->state)));
	json_add(object, "cause", is_waiting ? json_text(vocabulary_cause(wait->cause)) : NULL);
	json_add(object, "call", is_waiting ? json_text(wait->call) : NULL);
	json_add(object, "object", is_waiting && *wait->object ? json_text(wait->object) : NULL);
	json_add(object, "wait_seconds", is_waiting ? json_seconds(wait->wait_ns) : NULL);
	json_add(object, "place", json_text(wait->place));
	add_whom(report, object, index);
	return object;
}

struct json_object *report_stuck_json(const struct report *report)
{
	const struct stuck *stuck = &report->run->stuck;

	if (!stuck->count)
		return NULL; /* the run is over */
	struct json_object *object = json_object_new_object();
	struct json_object *verdicts = json_object_new_array(), *waits = json_object_new_array();

	for (size_t i = 0; i < stuck->verdict_count; i++)
		json_object_array_add(verdicts, verdict_json(&stuck->verdicts[i]));
	for (size_t i = 0; i < stuck->count; i++)
		json_object_array_add(waits, wait_json(report, i));
	json_add(object, "looked", json_text(stuck->is_live ? "twice" : "at the profiles"));
	json_add(object, "threads", json_count(stuck->count));
	json_add(object, "stuck_threads", json_count(stuck->stuck_count));
	json_add(object, "verdicts", verdicts);
	json_add(object, "waits", waits);
	return object;
}
