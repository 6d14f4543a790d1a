/* SPDX-License-Identifier: MIT */
/* Pipes and sockets between two processes of the run: what went through them, and which end waited
 * for the other. */
#include "analyze/report/report_connections.h"

#include "analyze/base/memory.h"
#include "analyze/model/pipelines/pipeline_words.h"
#include "analyze/print/json.h"
#include "analyze/report/row_fields.h"
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

static const struct pipe_end *end_of(const struct report *report, const struct connection *row)
{
	return &report->run->pipelines.ends.rows[row->from.ends[0]];
}

#define ROW      const struct connection
#define ROW_NAME connections
#include "analyze/report/define_fields.h"

void report_connections_text(const struct report *report)
{
	const struct connections *connections = &report->run->pipelines.connections;

	rows_text(report, &connections_fields, connections->rows, connections->count,
		  sizeof *connections->rows);
}

struct json_object *report_connections_rows(const struct report *report)
{
	const struct connections *connections = &report->run->pipelines.connections;

	return rows_json(report, &connections_fields, connections->rows,
			 report_rows(report, connections->count), sizeof *connections->rows);
}
