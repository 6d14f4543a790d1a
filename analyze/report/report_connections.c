/* SPDX-License-Identifier: MIT */
/* Pipes and sockets between two processes of the run: what went through them, and which end waited
 * for the other. */
#include "analyze/report/report_connections.h"

#include "analyze/base/memory.h"
#include "analyze/model/pipelines/pipeline_words.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>

/* Of the lives of the threads that used the end. */
static double share_of(const struct pipe_flow *flow)
{
	return flow->life_ns ? fmin(100, 100 * (double)flow->wait_ns / (double)flow->life_ns) : NAN;
}

static const struct stage *stage_of(const struct pipelines *all, size_t process)
{
	for (size_t i = 0; i < all->stage_count; i++)
		if (all->stages[i].process == process)
			return &all->stages[i];
	return NULL;
}

/* "4711 (xz)", "4711 (xz) and 3 more". */
static char *side_text(const struct report *report, const struct connection_side *side)
{
	const struct pipelines *all = &report->run->pipelines;
	const struct pipe_end *end = &all->ends.rows[side->ends[0]];
	char *first = stage_name(report->run->processes, stage_of(all, end->process));

	if (side->count == 1)
		return first;
	char *text = memory_print("%s and %zu more", first, side->count - 1);

	free(first);
	return text;
}

static void add_side(struct text_table *table, const struct connection_side *side)
{
	text_table_add(table, text_count(side->sum.calls));
	text_table_add(table, text_size(side->sum.bytes));
	text_table_add(table, text_seconds((double)side->sum.wait_ns));
	text_table_add(table, text_percent(share_of(&side->sum)));
}

void report_connections_text(const struct report *report)
{
	static const struct text_column columns[] = {
		{"no.", TEXT_RIGHT},     {"from", TEXT_FLEXIBLE}, {"to", TEXT_LEFT},
		{"by", TEXT_LEFT},       {"writes", TEXT_SPARE},  {"written", TEXT_SPARE},
		{"waiting", TEXT_RIGHT}, {"share", TEXT_RIGHT},   {"reads", TEXT_SPARE},
		{"read", TEXT_SPARE},    {"waiting", TEXT_RIGHT}, {"share", TEXT_RIGHT},
	};
	const struct pipelines *all = &report->run->pipelines;
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);

	for (size_t i = 0; i < report_rows(report, all->connections.count); i++) {
		const struct connection *row = &all->connections.rows[i];

		text_table_add(table, text_count(row->pipeline + 1));
		text_table_add(table, side_text(report, &row->from));
		text_table_add(table, side_text(report, &row->to));
		text_table_add(table, connection_name(all, row));
		add_side(table, &row->from);
		add_side(table, &row->to);
	}
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, all->connections.count);
}

static struct json_object *pids_json(const struct report *report,
				     const struct connection_side *side)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report_rows(report, side->count); i++) {
		size_t process = report->run->pipelines.ends.rows[side->ends[i]].process;

		json_object_array_add(list,
				      json_count(report->run->processes[process].file->header.pid));
	}
	return list;
}

static struct json_object *row_json(const struct report *report, const struct connection *row)
{
	const struct pipelines *all = &report->run->pipelines;
	const struct pipe_end *end = &all->ends.rows[row->from.ends[0]];
	const struct pipe_flow *out = &row->from.sum, *in = &row->to.sum;
	char *from = side_text(report, &row->from), *to = side_text(report, &row->to);
	struct json_object *object = json_object_new_object();

	json_add(object, "pipeline", json_count(row->pipeline + 1));
	json_add(object, "kind", json_text(pipe_kind_text(end->kind)));
	json_add(object, "name", json_text(*end->name ? end->name : NULL));
	json_add(object, "from", json_text(from));
	json_add(object, "to", json_text(to));
	json_add(object, "writers", pids_json(report, &row->from));
	json_add(object, "readers", pids_json(report, &row->to));
	json_add(object, "writes", json_count(out->calls));
	json_add(object, "bytes_written", json_count(out->bytes));
	json_add(object, "write_waits", json_count(out->waits));
	json_add(object, "write_wait_seconds", json_seconds(out->wait_ns));
	json_add(object, "write_wait_percent", json_number(share_of(out)));
	json_add(object, "reads", json_count(in->calls));
	json_add(object, "bytes_read", json_count(in->bytes));
	json_add(object, "read_waits", json_count(in->waits));
	json_add(object, "read_wait_seconds", json_seconds(in->wait_ns));
	json_add(object, "read_wait_percent", json_number(share_of(in)));
	free(from);
	free(to);
	return object;
}

struct json_object *report_connections_rows(const struct report *report)
{
	const struct connections *connections = &report->run->pipelines.connections;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report_rows(report, connections->count); i++)
		json_object_array_add(list, row_json(report, &connections->rows[i]));
	return list;
}
