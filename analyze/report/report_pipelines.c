/* SPDX-License-Identifier: MIT */
/* Processes that pass data to each other, as stages: what each did with its time, and which one the
 * others waited for. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/pipelines/pipeline_words.h"
#include "analyze/print/json.h"
#include "analyze/report/report_connections.h"
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
	char *text = memory_print(
		"%zu end%s of pipes and sockets led to no other process of the run; %" PRIu64
		" calls (%s) were on descriptors that were not looked up",
		connections->unmatched, connections->unmatched == 1 ? "" : "s",
		connections->unseen.calls, quantity_size(connections->unseen.bytes).text);

	report_print_wrapped(report, "  ", text);
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
	json_add(object, "connections", report_connections_rows(report));
	return object;
}
