/* SPDX-License-Identifier: MIT */
/* Calls of input and output, and their waits. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/sync/sync_io_rows.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define DETAILED_ROWS 3 /* those that waited longest, and those with the most calls */

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
static void add_detail(const struct report *report, struct row_table *table,
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
		row_table_add_detail(
			table,
			memory_print("%s%s%s", calls, has_calls && has_waits ? "; " : "", waits));
	free(calls);
	free(waits);
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

/* ---- rows */

static const char *direction_text(enum operation operation)
{
	static const char *const texts[] = {
		[IO_READ] = "read", [IO_WRITTEN] = "written", [IO_MOVED] = "moved"};
	enum io_direction direction = io_direction_of(operation);

	return direction < sizeof texts / sizeof *texts ? texts[direction] : NULL;
}

#define ROW       const struct io_caller
#define ROW_NAME  io_caller
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

#define ROW       const struct sync_site
#define ROW_NAME  io_waiter
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

#define ROW      const struct sync_row
#define ROW_NAME io
#include "analyze/report/define_fields.h"

#define ROW      const struct io_rows
#define ROW_NAME io_sum
#include "analyze/report/define_fields.h"

/* ---- the section */

/* How many of the rows have more calls, or as many and come before it? */
static size_t busier_rows(const struct io_rows *rows, size_t count, size_t index)
{
	size_t busier = 0;

	for (size_t i = 0; i < count && busier < DETAILED_ROWS; i++)
		busier += rows->rows[i]->count > rows->rows[index]->count ||
			  (i < index && rows->rows[i]->count == rows->rows[index]->count);
	return busier;
}

void report_io_text(const struct report *report)
{
	struct io_rows rows = io_rows_of(&report->run->synchronization);
	struct row_table *table = row_table_create(report, &io_fields);
	size_t count = report_rows(report, rows.count);

	print_sums(report, &rows);
	for (size_t i = 0; i < count; i++) {
		row_table_add(table, rows.rows[i]);
		if (!report->top || i < DETAILED_ROWS ||
		    busier_rows(&rows, count, i) < DETAILED_ROWS)
			add_detail(report, table, rows.rows[i]);
	}
	row_table_print(table);
	report_print_more(report, rows.count - count);
	io_rows_clear(&rows);
}

struct json_object *report_io_json(const struct report *report)
{
	struct io_rows rows = io_rows_of(&report->run->synchronization);
	struct json_object *object = row_json(report, &io_sum_fields, &rows);
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report_rows(report, rows.count); i++)
		json_object_array_add(list, row_json(report, &io_fields, rows.rows[i]));
	json_add(object, "rows", list);
	io_rows_clear(&rows);
	return object;
}
