/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/run/carried.h"
#include "analyze/model/run/wake_ups.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DETAILED_ROWS 3

/* A call without an object: sleep, create, ... */
static bool is_call(const struct report *report, const struct sync_row *row)
{
	return !strcmp(report_object(report, row)->kind, "call");
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
static void add_detail(const struct report *report, struct row_table *table,
		       const struct sync_row *row)
{
	char *waiters = site_text(report, "waits:", row, &row->waiters);
	char *blame = site_text(report, "by:", row, &row->blame);

	row_table_add_detail(table, memory_print("%s%s%s", waiters, *blame ? "; " : "", blame));
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

/* ---- rows */

static char *address_text(uint64_t address)
{
	return address ? memory_print("0x%llx", (unsigned long long)address) : NULL;
}

#define ROW      const struct sync_row
#define ROW_NAME synchronization
#include "analyze/report/define_fields.h"

#define ROW      const struct sync_row
#define ROW_NAME plain_calls
#include "analyze/report/define_fields.h"

void report_synchronization_text(const struct report *report)
{
	const struct synchronization *all = &report->run->synchronization;
	struct row_table *table = row_table_create(report, &synchronization_fields);
	size_t worth = 0, detailed = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct sync_row *row = &all->rows[i];

		if (!is_worth_a_line(row) || (report->top && worth++ >= report->top))
			continue;
		row_table_add(table, row);
		if (row->wait_ns && (!report->top || detailed++ < DETAILED_ROWS))
			add_detail(report, table, row);
	}
	row_table_print(table);
	report_print_rest(report, worth);
}

struct json_object *report_synchronization_json(const struct report *report)
{
	const struct synchronization *all = &report->run->synchronization;
	struct json_object *list = json_object_new_array();
	size_t shown = 0;

	for (size_t i = 0; i < all->count; i++)
		if (!io_is_io(all->rows[i].operation) && !is_call(report, &all->rows[i]) &&
		    (!report->top || shown++ < report->top))
			json_object_array_add(
				list, row_json(report, &synchronization_fields, &all->rows[i]));
	return list;
}

struct json_object *report_synchronization_rows(const struct report *report)
{
	const struct synchronization *all = &report->run->synchronization;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < all->count; i++)
		if (is_worth_a_line(&all->rows[i]))
			json_object_array_add(
				list, row_json(report, &synchronization_fields, &all->rows[i]));
	return list;
}

struct json_object *report_calls_json(const struct report *report)
{
	const struct synchronization *all = &report->run->synchronization;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < all->count; i++)
		if (!io_is_io(all->rows[i].operation) && is_call(report, &all->rows[i]))
			json_object_array_add(list,
					      row_json(report, &plain_calls_fields, &all->rows[i]));
	return list;
}
