/* SPDX-License-Identifier: MIT */
/* Processes that pass data to each other, as stages: what each did with its time, and which one the
 * others waited for. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/pipelines/pipeline_words.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/report_connections.h"
#include "analyze/report/sections.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static double percent_of(double ns, const struct stage *stage)
{
	return stage->elapsed_ns > 0 ? 100 * ns / stage->elapsed_ns : NAN;
}

/* "n/a" where several threads leave it unknown. */
static char *share_text(double ns, const struct stage *stage)
{
	double percent = percent_of(ns, stage);

	return isnan(percent) ? memory_copy_text("n/a") : text_percent(percent);
}

static void add_share(const struct report *report, struct text_table *table, double ns,
		      const struct stage *stage, enum grade grade)
{
	bool is_known = !isnan(ns) && ns > 0;
	char *text = share_text(ns, stage);

	text_table_add(table, is_known ? text_graded(text, grade, report->is_utf8) : text);
}

static void add_row(const struct report *report, struct text_table *table,
		    const struct stage *stage)
{
	const struct process *process = &report->run->processes[stage->process];
	const double waits[] = {stage->read_ns, stage->write_ns, stage->events_ns,
				stage->outside_ns, stage->other_ns};
	bool is_clock = process->thread_lives <= 1;

	text_table_add(table, text_count(stage->pipeline + 1));
	text_table_add(table, text_count(process->file->header.pid));
	text_table_add(table, text_seconds(stage->elapsed_ns));
	add_share(report, table, stage->busy_ns, stage, is_clock ? GRADE_EXACT : stage->grade);
	add_share(report, table, stage->ready_ns, stage, GRADE_EXACT);
	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
		add_share(report, table, waits[i], stage, stage->grade);
	text_table_add(table, memory_copy_text(process->file->process.command));
}

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
	static const struct text_column columns[] = {
		{"no.", TEXT_RIGHT},      {"pid", TEXT_RIGHT},        {"elapsed", TEXT_RIGHT},
		{"busy", TEXT_RIGHT},     {"ready", TEXT_RIGHT},      {"to read", TEXT_RIGHT},
		{"to write", TEXT_RIGHT}, {"events", TEXT_RIGHT},     {"outside", TEXT_RIGHT},
		{"other", TEXT_RIGHT},    {"command", TEXT_FLEXIBLE},
	};
	const struct pipelines *all = &report->run->pipelines;
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	size_t left = report_rows(report, all->stage_count);

	print_sentences(report, all);
	for (size_t i = 0; i < all->count && left; i++)
		for (size_t j = 0; j < all->rows[i].count && left; j++, left--)
			add_row(report, table, &all->stages[all->rows[i].first + j]);
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, all->stage_count);
	print_unseen(report, &all->connections);
}

/* ---- JSON */

static void add_times(struct json_object *object, const struct stage *stage)
{
	const struct {
		const char *seconds, *percent;
		double ns;
	} times[] = {
		{"busy_seconds", "busy_percent", stage->busy_ns},
		{"ready_seconds", "ready_percent", stage->ready_ns},
		{"read_wait_seconds", "read_wait_percent", stage->read_ns},
		{"write_wait_seconds", "write_wait_percent", stage->write_ns},
		{"events_seconds", "events_percent", stage->events_ns},
		{"outside_seconds", "outside_percent", stage->outside_ns},
		{"other_seconds", "other_percent", stage->other_ns},
	};

	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		json_add(object, times[i].seconds, json_seconds_of(times[i].ns));
		json_add(object, times[i].percent, json_number(percent_of(times[i].ns, stage)));
	}
}

static struct json_object *stage_json(const struct report *report, size_t index)
{
	const struct pipelines *all = &report->run->pipelines;
	const struct stage *stage = &all->stages[index];
	const struct process *process = &report->run->processes[stage->process];
	struct json_object *object = json_object_new_object();

	json_add(object, "pipeline", json_count(stage->pipeline + 1));
	json_add(object, "host", json_text(process->file->process.host));
	json_add(object, "pid", json_count(process->file->header.pid));
	json_add(object, "sequence", json_count(process->file->header.sequence));
	json_add(object, "command", json_text(process->file->process.command));
	json_add(object, "threads", json_count(process->thread_lives));
	json_add(object, "is_slow",
		 json_object_new_boolean(all->rows[stage->pipeline].slow == index));
	json_add(object, "elapsed_seconds", json_seconds_of(stage->elapsed_ns));
	add_times(object, stage);
	json_add(object, "grade", json_text(report_grade_text(stage->grade)));
	json_add(object, "waited_for_seconds", json_seconds_of(stage_waited_for(stage).ns));
	return object;
}

static struct json_object *pipeline_json(const struct report *report, size_t index)
{
	const struct run *run = report->run;
	const struct pipeline *pipeline = &run->pipelines.rows[index];
	const struct stage *slow =
		pipeline->slow != SIZE_MAX ? &run->pipelines.stages[pipeline->slow] : NULL;
	char *text = pipeline_sentence(&run->pipelines, pipeline, run->processes);
	struct json_object *object = json_object_new_object();

	json_add(object, "pipeline", json_count(index + 1));
	json_add(object, "stages", json_count(pipeline->count));
	json_add(object, "connections", json_count(pipeline->connections));
	json_add(object, "elapsed_seconds", json_seconds_of(pipeline->elapsed_ns));
	json_add(object, "verdict", json_text(pipeline_verdict_text(pipeline->verdict)));
	json_add(object, "slow_pid",
		 slow ? json_count(run->processes[slow->process].file->header.pid) : NULL);
	json_add(object, "text", json_text(text));
	free(text);
	return object;
}

static struct json_object *stages_json(const struct report *report)
{
	const struct pipelines *all = &report->run->pipelines;
	size_t left = report_rows(report, all->stage_count);
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < all->count && left; i++)
		for (size_t j = 0; j < all->rows[i].count && left; j++, left--)
			json_object_array_add(list, stage_json(report, all->rows[i].first + j));
	return list;
}

struct json_object *report_pipelines_json(const struct report *report)
{
	const struct pipelines *all = &report->run->pipelines;
	struct json_object *object = json_object_new_object();
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report_rows(report, all->count); i++)
		json_object_array_add(list, pipeline_json(report, i));
	json_add(object, "unmatched_ends", json_count(all->connections.unmatched));
	json_add(object, "unseen_calls", json_count(all->connections.unseen.calls));
	json_add(object, "unseen_bytes", json_count(all->connections.unseen.bytes));
	json_add(object, "pipelines", list);
	json_add(object, "stages", stages_json(report));
	json_add(object, "connections", report_connections_rows(report));
	return object;
}
