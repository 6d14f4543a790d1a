/* SPDX-License-Identifier: MIT */
/* Calls of input and output, and their waits. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/sync/io_rows.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/sections.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define DETAILED_ROWS 3

/* Bytes per second of the run's elapsed time; NAN: it is not known. */
static double rate_of(const struct report *report, const struct sync_row *row)
{
	uint64_t elapsed_ns = report->run->elapsed_ns;

	return elapsed_ns ? 1e9 * (double)row->io.bytes / (double)elapsed_ns : NAN;
}

static char *size_text(double bytes)
{
	if (bytes > 0 && bytes < 1)
		return memory_copy_text("<1 B");
	return memory_copy_text(isnan(bytes) ? "" : quantity_size((uint64_t)(bytes + 0.5)).text);
}

/* Calls that transfer nothing have no bytes: empty. */
static char *bytes_text(const struct sync_row *row, double bytes)
{
	bool has_bytes = row->io.bytes || io_direction_of(row->operation) != IO_WITHOUT;

	return has_bytes ? size_text(bytes) : memory_copy_text("");
}

static char *rate_text(const struct report *report, const struct sync_row *row)
{
	char *size = bytes_text(row, rate_of(report, row));
	char *text = *size ? memory_print("%s/s", size) : memory_copy_text("");

	free(size);
	return text;
}

static char *share_text(const struct report *report, const char *verb, double part, double whole,
			size_t routine, unsigned line)
{
	char *place = report_place(report, routine, line);
	char *text =
		memory_print("%s %s %s", verb, quantity_percent(100 * part / whole).text, place);

	free(place);
	return text;
}

/* "calls: 90 % f (x.c:1); waits: 80 % g (x.c:2)" */
static void add_detail(const struct report *report, struct text_table *table,
		       const struct sync_row *row)
{
	const struct io_caller *caller = row->callers.rows;
	const struct sync_site *waiter = row->waiters.rows;
	bool has_calls = row->callers.count && row->io.calls;
	bool has_waits = row->waiters.count && row->wait_ns;
	char *calls = has_calls ? share_text(report, "calls:", (double)caller->sums.calls,
					     (double)row->io.calls, caller->routine, caller->line)
				: memory_copy_text("");
	char *waits = has_waits ? share_text(report, "waits:", (double)waiter->time_ns,
					     (double)row->wait_ns, waiter->routine, waiter->line)
				: memory_copy_text("");

	if (has_calls || has_waits)
		text_table_add_detail(
			table,
			memory_print("%s%s%s", calls, has_calls && has_waits ? "; " : "", waits));
	free(calls);
	free(waits);
}

static void add_row(const struct report *report, struct text_table *table,
		    const struct sync_row *row)
{
	const struct synchronization *all = &report->run->synchronization;
	uint64_t failed = io_row_failed(row);

	text_table_add(table, memory_copy_text(all->objects[row->object].kind));
	text_table_add(table, memory_copy_text(all->names[row->object]));
	text_table_add(table, memory_copy_text(vocabulary_operation(row->operation)));
	text_table_add(table, text_count(row->count));
	text_table_add(table, failed ? text_count(failed) : memory_copy_text(""));
	text_table_add(table, bytes_text(row, (double)row->io.bytes));
	text_table_add(table, bytes_text(row, io_row_bytes_per_call(row)));
	text_table_add(table, rate_text(report, row));
	text_table_add(table, text_count(row->contended));
	text_table_add(table, text_seconds((double)row->wait_ns));
	text_table_add(table, row->contended ? text_seconds(io_row_mean_wait_ns(row))
					     : memory_copy_text(""));
	text_table_add(table, row->contended ? text_seconds((double)row->wait_max_ns)
					     : memory_copy_text(""));
}

static void print_sums(const struct report *report, const struct io_rows *rows)
{
	char *moved = rows->bytes_moved
			      ? memory_print(", moved %s", quantity_size(rows->bytes_moved).text)
			      : memory_copy_text("");

	char *text = memory_print("read %s, written %s%s in %s; %" PRIu64 " of them waited, for %s",
				  quantity_size(rows->bytes_read).text,
				  quantity_size(rows->bytes_written).text, moved,
				  quantity_things((double)rows->calls, "call").text, rows->waits,
				  quantity_seconds((double)rows->wait_ns).text);

	report_print_wrapped(report, "  ", text);
	free(text);
	free(moved);
}

void report_io_text(const struct report *report)
{
	static const struct text_column columns[] = {
		{"kind", TEXT_LEFT},     {"object", TEXT_FLEXIBLE}, {"operation", TEXT_LEFT},
		{"calls", TEXT_RIGHT},   {"failed", TEXT_SPARE},    {"bytes", TEXT_RIGHT},
		{"each", TEXT_SPARE},    {"rate", TEXT_SPARE},      {"waited", TEXT_RIGHT},
		{"waiting", TEXT_RIGHT}, {"mean", TEXT_SPARE},      {"longest", TEXT_SPARE},
	};
	struct io_rows rows = io_rows_of(&report->run->synchronization);
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	size_t count = report_rows(report, rows.count);

	print_sums(report, &rows);
	for (size_t i = 0; i < count; i++) {
		add_row(report, table, rows.rows[i]);
		if (!report->top || i < DETAILED_ROWS)
			add_detail(report, table, rows.rows[i]);
	}
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_more(report, rows.count - count);
	io_rows_clear(&rows);
}

/* ---- JSON */

static const char *direction_text(enum operation operation)
{
	static const char *const texts[] = {
		[IO_READ] = "read", [IO_WRITTEN] = "written", [IO_MOVED] = "moved"};
	enum io_direction direction = io_direction_of(operation);

	return direction < sizeof texts / sizeof *texts ? texts[direction] : NULL;
}

static struct json_object *callers_json(const struct report *report, const struct sync_row *row)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < row->callers.count; i++) {
		const struct io_caller *caller = &row->callers.rows[i];
		struct json_object *object = json_object_new_object();

		report_add_place(report, object, caller->routine, caller->line);
		json_add(object, "count", json_count(caller->sums.calls));
		json_add(object, "bytes", json_count(caller->sums.bytes));
		json_add(object, "failed", json_count(caller->sums.failed));
		json_object_array_add(list, object);
	}
	return list;
}

static struct json_object *waiters_json(const struct report *report, const struct sync_row *row)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < row->waiters.count; i++) {
		const struct sync_site *site = &row->waiters.rows[i];
		struct json_object *object = json_object_new_object();

		report_add_place(report, object, site->routine, site->line);
		json_add(object, "count", json_count(site->count));
		json_add(object, "seconds", json_seconds(site->time_ns));
		json_object_array_add(list, object);
	}
	return list;
}

static struct json_object *row_json(const struct report *report, const struct sync_row *row)
{
	const struct synchronization *all = &report->run->synchronization;
	const struct sync_object *of = &all->objects[row->object];
	struct json_object *object = json_object_new_object();

	json_add(object, "kind", json_text(of->kind));
	json_add(object, "name", json_text(all->names[row->object]));
	json_add(object, "created_at", json_text(of->created_at));
	json_add(object, "members", json_count(of->members));
	json_add(object, "operation", json_text(vocabulary_operation(row->operation)));
	json_add(object, "direction", json_text(direction_text(row->operation)));
	json_add(object, "processes", json_count(row->processes));
	json_add(object, "count", json_count(row->count));
	json_add(object, "bytes", json_count(row->io.bytes));
	json_add(object, "failed", json_count(io_row_failed(row)));
	json_add(object, "bytes_per_call", json_number(io_row_bytes_per_call(row)));
	json_add(object, "bytes_per_second", json_number(rate_of(report, row)));
	json_add(object, "waits", json_count(row->contended));
	json_add(object, "wait_seconds", json_seconds(row->wait_ns));
	json_add(object, "wait_mean_seconds", json_seconds_of(io_row_mean_wait_ns(row)));
	json_add(object, "wait_max_seconds", json_seconds(row->wait_max_ns));
	json_add(object, "callers", callers_json(report, row));
	json_add(object, "waiters", waiters_json(report, row));
	return object;
}

struct json_object *report_io_json(const struct report *report)
{
	struct io_rows rows = io_rows_of(&report->run->synchronization);
	struct json_object *object = json_object_new_object();
	struct json_object *list = json_object_new_array();

	json_add(object, "calls", json_count(rows.calls));
	json_add(object, "failed", json_count(rows.failed));
	json_add(object, "bytes_read", json_count(rows.bytes_read));
	json_add(object, "bytes_written", json_count(rows.bytes_written));
	json_add(object, "bytes_moved", json_count(rows.bytes_moved));
	json_add(object, "waits", json_count(rows.waits));
	json_add(object, "wait_seconds", json_seconds(rows.wait_ns));
	for (size_t i = 0; i < report_rows(report, rows.count); i++)
		json_object_array_add(list, row_json(report, rows.rows[i]));
	json_add(object, "rows", list);
	io_rows_clear(&rows);
	return object;
}
