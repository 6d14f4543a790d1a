/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/run/wake_ups.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/report_carried.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DETAILED_ROWS 3

/* A call without an object: sleep, create, ... */
static bool is_call(const struct report *report, const struct sync_row *row)
{
	return !strcmp(report->run->synchronization.objects[row->object].kind, "call");
}

/* Input and output have a section of their own. */
static bool is_worth_a_line(const struct sync_row *row)
{
	return !io_is_io(row->operation);
}

/* " (to 3 %)": a standard error; "" if there is none. */
static char *error_text(const struct sync_row *row, const struct sync_site *site)
{
	double error = blame_error_ns(sync_row_lot(row), site->time_ns);

	if (!row->left_out || !row->wait_ns)
		return memory_copy_text("");
	char *percent = text_percent(fmin(100, 100 * error / (double)row->wait_ns));
	char *text = memory_print(" (to %s)", percent);

	free(percent);
	return text;
}

static char *site_text(const struct report *report, const char *verb, const struct sync_row *row,
		       const struct sync_sites *sites)
{
	if (!sites->count || !row->wait_ns)
		return memory_copy_text("");
	const struct sync_site *site = &sites->rows[0];
	enum grade grade = row->left_out ? GRADE_SAMPLED : GRADE_EXACT;
	char *place = report_place(report, site->routine, site->line);
	char *percent = text_percent(100 * (double)site->time_ns / (double)row->wait_ns);
	char *share = text_graded(percent, grade, report->is_utf8);
	char *error = sites == &row->blame ? error_text(row, site) : memory_copy_text("");
	char *text = memory_print("%s %s%s %s", verb, share, error, place);

	free(place);
	free(share);
	free(error);
	return text;
}

/* "waits: 90 % f (x.c:1); by: 80 % g (x.c:2)" */
static void add_detail(const struct report *report, struct text_table *table,
		       const struct sync_row *row)
{
	char *waiters = site_text(report, "waits:", row, &row->waiters);
	char *blame = site_text(report, "by:", row, &row->blame);

	text_table_add_detail(table, memory_print("%s%s%s", waiters, *blame ? "; " : "", blame));
	free(waiters);
	free(blame);
}

/* "wait (mutex)": what a futex stands for, if that is known. */
static char *operation_text(const struct sync_row *row)
{
	const char *text = vocabulary_operation(row->operation);
	bool is_told = vocabulary_operand(row->operation) == OBJECT_FUTEX && row->contended &&
		       row->cause != CAUSE_FUTEX;

	return is_told ? memory_print("%s (%s)", text, vocabulary_cause(row->cause))
		       : memory_copy_text(text);
}

static void add_row(const struct report *report, struct text_table *table,
		    const struct sync_row *row)
{
	const struct synchronization *all = &report->run->synchronization;
	const struct sync_object *object = &all->objects[row->object];

	text_table_add(table, memory_copy_text(object->kind));
	text_table_add(table, memory_copy_text(all->names[row->object]));
	text_table_add(table, operation_text(row));
	text_table_add(table, report->run->process_count > 1 ? text_count(row->processes)
							     : memory_copy_text(""));
	text_table_add(table, text_count(row->count));
	text_table_add(table, text_count(row->contended));
	text_table_add(table, text_seconds((double)row->wait_ns));
	text_table_add(table, text_seconds((double)row->wait_max_ns));
}

void report_synchronization_text(const struct report *report)
{
	static const struct text_column columns[] = {
		{"kind", TEXT_LEFT},       {"object", TEXT_FLEXIBLE}, {"operation", TEXT_LEFT},
		{"processes", TEXT_SPARE}, {"calls", TEXT_SPARE},     {"waited", TEXT_SPARE},
		{"waiting", TEXT_RIGHT},   {"longest", TEXT_SPARE},
	};
	const struct synchronization *all = &report->run->synchronization;
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	size_t worth = 0, detailed = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct sync_row *row = &all->rows[i];

		if (!is_worth_a_line(row) || (report->top && worth++ >= report->top))
			continue;
		add_row(report, table, row);
		if (row->wait_ns && (!report->top || detailed++ < DETAILED_ROWS))
			add_detail(report, table, row);
	}
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, worth);
}

static void add_site(const struct report *report, struct json_object *object,
		     const struct sync_site *site)
{
	report_add_place(report, object, site->routine, site->line);
	json_add(object, "count", json_count(site->count));
	json_add(object, "seconds", json_seconds(site->time_ns));
	json_add(object, "inferred", json_object_new_boolean(site->is_inferred));
}

/* What it waited for itself while it held a lock; null: nothing that is known. */
static struct json_object *holder_io_json(const struct report *report,
					  const struct sync_holder_io *io)
{
	struct json_object *object = io->ns ? json_object_new_object() : NULL;

	if (!object)
		return NULL;
	json_add(object, "seconds", json_seconds(io->ns));
	json_add(object, "call", json_text(vocabulary_call(io->operation)));
	json_add(object, "name", json_text(report->run->synchronization.names[io->object]));
	report_add_place(report, object, io->routine, io->line);
	return object;
}

static void add_holder(const struct report *report, struct json_object *object,
		       const struct sync_site *site, const struct sync_row *row)
{
	json_add(object, "error_seconds",
		 json_number(blame_error_ns(sync_row_lot(row), site->time_ns) / 1e9));
	json_add(object, "holder_io", holder_io_json(report, &site->holder_io));
	json_add(object, "holder_wait", holder_io_json(report, &site->holder_wait));
}

/* blamed_for: the row that they are to blame for; NULL: they wait. */
static struct json_object *sites_json(const struct report *report, const struct sync_sites *sites,
				      const struct sync_row *blamed_for)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < sites->count; i++) {
		const struct sync_site *site = &sites->rows[i];
		struct json_object *object = json_object_new_object();

		add_site(report, object, site);
		if (blamed_for)
			add_holder(report, object, site, blamed_for);
		json_object_array_add(list, object);
	}
	return list;
}

static struct json_object *address_json(uint64_t address)
{
	char *text = memory_print("0x%llx", (unsigned long long)address);
	struct json_object *object = address ? json_text(text) : NULL;

	free(text);
	return object;
}

static struct json_object *row_json(const struct report *report, const struct sync_row *row)
{
	const struct synchronization *all = &report->run->synchronization;
	const struct sync_object *of = &all->objects[row->object];
	struct json_object *object = json_object_new_object();
	struct wake_ups wake_ups = wake_ups_of(report->run, row);

	json_add(object, "kind", json_text(of->kind));
	json_add(object, "object", address_json(of->address));
	json_add(object, "name", json_text(all->names[row->object]));
	json_add(object, "created_at", json_text(of->created_at));
	json_add(object, "members", json_count(of->members));
	json_add(object, "operation", json_text(vocabulary_operation(row->operation)));
	json_add(object, "count", json_count(row->count));
	json_add(object, "contended", json_count(row->contended));
	json_add(object, "wait_seconds", json_seconds(row->wait_ns));
	json_add(object, "wait_max_seconds", json_seconds(row->wait_max_ns));
	json_add(object, "reacquire_seconds", json_seconds(row->reacquire_ns));
	json_add(object, "spurious", json_count(row->spurious));
	json_add(object, "wakes", json_count(wake_ups.wakes));
	json_add(object, "futile", json_count(wake_ups.futile));
	json_add(object, "futile_seconds", json_number(wake_ups.cpu_ns / 1e9));
	report_add_carried(object, &carried_by_sync_row, row);
	json_add(object, "measured", json_count(sync_row_measured(row)));
	json_add(object, "blame_grade",
		 json_text(report_grade_text(row->left_out ? GRADE_SAMPLED : GRADE_EXACT)));
	json_add(object, "processes", json_count(row->processes));
	json_add(object, "waiters", sites_json(report, &row->waiters, NULL));
	json_add(object, "blame", sites_json(report, &row->blame, row));
	json_add(object, "cause", row->contended ? json_text(vocabulary_cause(row->cause)) : NULL);
	return object;
}

/* A call without an object has nobody to blame: a shorter row. */
static struct json_object *call_json(const struct report *report, const struct sync_row *row)
{
	struct json_object *object = json_object_new_object();

	json_add(object, "call", json_text(report->run->synchronization.names[row->object]));
	json_add(object, "count", json_count(row->count));
	json_add(object, "waited", json_count(row->contended));
	json_add(object, "wait_seconds", json_seconds(row->wait_ns));
	json_add(object, "wait_max_seconds", json_seconds(row->wait_max_ns));
	json_add(object, "waiters", sites_json(report, &row->waiters, NULL));
	return object;
}

struct json_object *report_synchronization_json(const struct report *report)
{
	const struct synchronization *all = &report->run->synchronization;
	struct json_object *list = json_object_new_array();
	size_t shown = 0;

	for (size_t i = 0; i < all->count; i++)
		if (!io_is_io(all->rows[i].operation) && !is_call(report, &all->rows[i]) &&
		    (!report->top || shown++ < report->top))
			json_object_array_add(list, row_json(report, &all->rows[i]));
	return list;
}

struct json_object *report_synchronization_rows(const struct report *report)
{
	const struct synchronization *all = &report->run->synchronization;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < all->count; i++)
		if (is_worth_a_line(&all->rows[i]))
			json_object_array_add(list, row_json(report, &all->rows[i]));
	return list;
}

struct json_object *report_calls_json(const struct report *report)
{
	const struct synchronization *all = &report->run->synchronization;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < all->count; i++)
		if (!io_is_io(all->rows[i].operation) && is_call(report, &all->rows[i]))
			json_object_array_add(list, call_json(report, &all->rows[i]));
	return list;
}
