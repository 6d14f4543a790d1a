/* SPDX-License-Identifier: MIT */
/* Processes that pass data to each other, as stages: what each did with its time, and which one the
 * others waited for. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/pipelines/pipeline_words.h"
#include "analyze/print/json.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static double percent_of(double ns, const struct stage *stage)
{
	return stage->elapsed_ns > 0 ? 100 * ns / stage->elapsed_ns : NAN;
}

/* In texts no grade where there is nothing to doubt. */
static struct value share_of(const struct stage *stage, double ns, enum grade grade)
{
	return (struct value){.kind = VALUE_PERCENT,
			      .grade = ns > 0 ? grade : GRADE_EXACT,
			      .real = percent_of(ns, stage)};
}

static const struct run_process *file_of(const struct report *report, const struct stage *stage)
{
	return report->run->processes[stage->process].file;
}

static uint64_t threads_of(const struct report *report, const struct stage *stage)
{
	return report->run->processes[stage->process].thread_lives;
}

static bool is_slow(const struct report *report, const struct stage *stage)
{
	const struct pipelines *all = &report->run->pipelines;

	return all->rows[stage->pipeline].slow == (size_t)(stage - all->stages);
}

static struct value slow_pid_of(const struct report *report, const struct pipeline *pipeline)
{
	const struct pipelines *all = &report->run->pipelines;

	if (pipeline->slow == SIZE_MAX)
		return (struct value){.kind = VALUE_NONE};
	return (struct value){.kind = VALUE_COUNT,
			      .whole = file_of(report, &all->stages[pipeline->slow])->header.pid};
}

#define ROW      const struct stage
#define ROW_NAME stages
#include "analyze/report/define_fields.h"

#define ROW      const struct pipeline
#define ROW_NAME pipeline_verdicts
#include "analyze/report/define_fields.h"

static void print_sentences(const struct report *report, const struct pipelines *all)
{
	for (size_t i = 0; i < report_rows(report, all->count); i++) {
		const struct pipeline *pipeline = &all->rows[i];
		char *text = pipeline_sentence(all, pipeline, report->run->processes);
		char *first = memory_print("  %zu: ", i + 1);

		report_print_wrapped(report, first, text);
		free(first);
		free(text);
	}
	report_print_rest(report, all->count);
}

/* What is missing. */
static void print_unseen(const struct report *report, const struct connections *connections)
{
	char *ends = connections->unmatched
			     ? memory_print("%zu end%s of pipes and sockets led to no other "
					    "process of the run",
					    connections->unmatched,
					    connections->unmatched == 1 ? "" : "s")
			     : memory_copy_text("");
	char *calls =
		connections->unseen.calls
			? memory_print(
				  "%s (%s) on descriptors that were not looked up",
				  quantity_things((double)connections->unseen.calls, "call").text,
				  quantity_size(connections->unseen.bytes).text)
			: memory_copy_text("");
	char *text = memory_print("%s%s%s", ends, *ends && *calls ? "; " : "", calls);

	report_print_wrapped(report, "  ", text);
	free(ends);
	free(calls);
	free(text);
}

void report_pipelines_text(const struct report *report)
{
	const struct pipelines *all = &report->run->pipelines;
	struct row_table *table = row_table_create(report, &stages_fields);
	size_t left = report_rows(report, all->stage_count);

	print_sentences(report, all);
	for (size_t i = 0; i < all->count && left; i++)
		for (size_t j = 0; j < all->rows[i].count && left; j++, left--)
			row_table_add(table, &all->stages[all->rows[i].first + j]);
	row_table_print(table);
	report_print_rest(report, all->stage_count);
	print_unseen(report, &all->connections);
}

/* ---- connections: pipes and sockets between two processes of the run */

/* Of the lives of the threads that used the end. */
static double share_of_lives(const struct pipe_flow *flow)
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

static struct json_object *connections_json(const struct report *report)
{
	const struct connections *connections = &report->run->pipelines.connections;

	return rows_json(report, &connections_fields, connections->rows,
			 report_rows(report, connections->count), sizeof *connections->rows);
}

/* ---- JSON */

static struct json_object *stages_json(const struct report *report)
{
	const struct pipelines *all = &report->run->pipelines;
	size_t left = report_rows(report, all->stage_count);
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < all->count && left; i++)
		for (size_t j = 0; j < all->rows[i].count && left; j++, left--)
			json_object_array_add(list, row_json(report, &stages_fields,
							     &all->stages[all->rows[i].first + j]));
	return list;
}

struct json_object *report_pipelines_json(const struct report *report)
{
	const struct pipelines *all = &report->run->pipelines;
	struct json_object *object = json_object_new_object();

	json_add(object, "unmatched_ends", json_count(all->connections.unmatched));
	json_add(object, "unseen_calls", json_count(all->connections.unseen.calls));
	json_add(object, "unseen_bytes", json_count(all->connections.unseen.bytes));
	json_add(object, "pipelines",
		 rows_json(report, &pipeline_verdicts_fields, all->rows,
			   report_rows(report, all->count), sizeof *all->rows));
	json_add(object, "stages", stages_json(report));
	json_add(object, "connections", connections_json(report));
	return object;
}
