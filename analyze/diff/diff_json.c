/* SPDX-License-Identifier: MIT */
/* The comparison as JSON, version 1: everything, the unknown as null; seconds and bytes as numbers,
 * whatever the unit of a figure is. */
#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/diff/diff.h"
#include "analyze/diff/evidence.h"
#include "analyze/diff/metrics.h"
#include "analyze/diff/verdict.h"
#include "analyze/print/json.h"

#include <math.h>
#include <stdlib.h>

static const char *const condition_keys[CONDITION_COUNT] = {
	[CONDITION_PROGRAM] = "program",       [CONDITION_COMMAND] = "command",
	[CONDITION_RANKS] = "ranks",           [CONDITION_TEAM] = "openmp_threads",
	[CONDITION_THREADS] = "threads",       [CONDITION_PROCESSES] = "processes",
	[CONDITION_PROCESSORS] = "processors", [CONDITION_HOSTS] = "hosts",
	[CONDITION_VERSION] = "tool_version",
};

/* Conditions are texts; some of them are numbers. */
static struct json_object *condition_json(enum condition condition, const char *text)
{
	switch (condition) {
	case CONDITION_RANKS:
	case CONDITION_TEAM:
	case CONDITION_THREADS:
	case CONDITION_PROCESSES:
	case CONDITION_PROCESSORS:
		return text ? json_count(strtoull(text, NULL, 10)) : NULL;
	default:
		return json_text(text);
	}
}

static struct json_object *run_json(const struct side_run *run)
{
	struct json_object *object = json_object_new_object();

	json_add(object, "directory", json_text(run->path));
	json_add(object, "start", json_text(run->start));
	json_add(object, "elapsed_seconds", json_seconds_of(run->elapsed_ns));
	json_add(object, "complete", json_object_new_boolean(!run->incomplete));
	json_add(object, "incomplete_reason", json_text(run->incomplete));
	for (enum condition i = 0; i < CONDITION_COUNT; i++)
		json_add(object, condition_keys[i], condition_json(i, run->conditions[i]));
	return object;
}

static struct json_object *side_json(const struct side *side)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < side->count; i++)
		json_object_array_add(list, run_json(&side->runs[i]));
	return list;
}

static struct json_object *texts_json(const struct text_list *texts)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < texts->count; i++)
		json_object_array_add(list, json_text(texts->texts[i]));
	return list;
}

/* ---- figures */

static struct json_object *value_json(const struct change *change, double value)
{
	switch (change->figure->unit) {
	case UNIT_NS:
		return json_seconds_of(value);
	case UNIT_COUNT:
	case UNIT_BYTES:
		/* The median of two counts may lie between them. */
		return isfinite(value) && value >= 0 && value == floor(value)
			       ? json_count(number_of_real(value))
			       : json_number(value);
	default:
		return json_number(value);
	}
}

static const char *unit_text(enum figure_unit unit)
{
	static const char *const texts[] = {"seconds", "count", "bytes", "percent", "number"};

	return texts[unit];
}

static const char *grade_text(enum grade grade)
{
	static const char *const texts[] = {"exact", "sampled", "estimated", NULL};

	return texts[grade];
}

static const char *sense_text(enum figure_sense sense)
{
	static const char *const texts[] = {NULL, "less", "more"};

	return texts[sense];
}

static struct json_object *verdict_json(enum verdict verdict)
{
	if (verdict == VERDICT_UNKNOWN)
		return NULL;
	return json_text(verdict == VERDICT_NONE ? "below threshold" : verdict_text(verdict));
}

static struct json_object *values_json(const struct change *change, const struct side *side,
				       size_t which)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < side->count; i++)
		json_object_array_add(list, value_json(change, change->sides[which].values[i]));
	return list;
}

static struct json_object *change_json(const struct diff *diff, const struct change *change)
{
	const struct figure *figure = change->figure;
	struct json_object *object = json_object_new_object();

	json_add(object, "section", json_text(diff_sections[figure->section].name));
	json_add(object, "key", json_text(figure->key));
	json_add(object, "name", json_text(figure->shown ? figure->shown : figure->key));
	json_add(object, "metric", json_text(figure->metric));
	json_add(object, "unit", json_text(unit_text(figure->unit)));
	json_add(object, "grade", json_text(grade_text(figure->grade)));
	json_add(object, "better", json_text(sense_text(figure->sense)));
	json_add(object, "a", value_json(change, change->sides[0].median));
	json_add(object, "b", value_json(change, change->sides[1].median));
	json_add(object, "a_values", values_json(change, &diff->sides[0], 0));
	json_add(object, "b_values", values_json(change, &diff->sides[1], 1));
	json_add(object, "a_error", value_json(change, change->sides[0].error));
	json_add(object, "b_error", value_json(change, change->sides[1].error));
	json_add(object, "change", value_json(change, change->difference));
	json_add(object, "change_percent", json_number(change->change_percent));
	json_add(object, "spread", value_json(change, change->deviation));
	json_add(object, "noise", value_json(change, change->noise));
	json_add(object, "limit", value_json(change, change->limit));
	json_add(object, "p_value", json_number(change->probability));
	json_add(object, "effect_seconds", json_seconds_of(change->effect_ns));
	json_add(object, "verdict", verdict_json(change->verdict));
	json_add(object, "counts", json_object_new_boolean(change->counts));
	json_add(object, "decides", json_object_new_boolean(change->decides));
	return object;
}

/* ---- evidence */

static struct json_object *share_json(const struct change *change, size_t side)
{
	return change->evidence == EVIDENCE_COUNT ? NULL : json_number(change->sides[side].share);
}

static struct json_object *evidence_row_json(const struct change *change)
{
	struct json_object *object = json_object_new_object();
	char *text = evidence_text(change);

	json_add(object, "kind", json_text(evidence_name(change->evidence)));
	json_add(object, "text", json_text(text));
	json_add(object, "section", json_text(diff_sections[change->figure->section].name));
	json_add(object, "key", json_text(change->figure->key));
	json_add(object, "metric", json_text(change->figure->metric));
	json_add(object, "grade", json_text(grade_text(change->figure->grade)));
	json_add(object, "a_share_percent", share_json(change, 0));
	json_add(object, "b_share_percent", share_json(change, 1));
	json_add(object, "replaced", json_object_new_boolean(change->is_replaced));
	json_add(object, "decides", json_object_new_boolean(change->decides));
	free(text);
	return object;
}

static struct json_object *evidence_json(const struct changes *changes)
{
	struct json_object *list = json_object_new_array();
	size_t count;
	const struct change **rows = evidence_rows(changes, &count);

	for (size_t i = 0; i < count; i++)
		json_object_array_add(list, evidence_row_json(rows[i]));
	free(rows);
	return list;
}

static struct json_object *metrics_json(unsigned metrics)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; metrics_name(i); i++)
		if (metrics & METRIC_BIT(i))
			json_object_array_add(list, json_text(metrics_name(i)));
	return list;
}

void diff_print_json(const struct diff *diff, FILE *out)
{
	struct json_object *root = json_object_new_object(), *rows = json_object_new_array();
	size_t needed = changes_runs_needed(&diff->changes);

	for (size_t i = 0; i < diff->changes.count; i++)
		json_object_array_add(rows, change_json(diff, &diff->changes.rows[i]));
	json_add(root, "format", json_text("ptrace-diff"));
	json_add(root, "version", json_object_new_int(1));
	json_add(root, "headline", json_text(diff->headline));
	json_add(root, "verdict", json_text(changes_verdict(&diff->changes)));
	json_add(root, "threshold_percent", json_number(diff->changes.threshold_percent));
	json_add(root, "metrics", metrics_json(diff->changes.metrics));
	json_add(root, "elapsed_undecided", json_object_new_boolean(diff->changes.is_undecided));
	json_add(root, "runs_needed", needed ? json_count(needed) : NULL);
	json_add(root, "neighbours_processors", json_number(diff->changes.neighbours));
	json_add(root, "a", side_json(&diff->sides[0]));
	json_add(root, "b", side_json(&diff->sides[1]));
	json_add(root, "differences", texts_json(&diff->differences));
	json_add(root, "evidence", evidence_json(&diff->changes));
	json_add(root, "figures", rows);
	json_add(root, "notes", texts_json(&diff->notes));
	fputs(json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY |
							   JSON_C_TO_STRING_SPACED |
							   JSON_C_TO_STRING_NOSLASHESCAPE),
	      out);
	fputc('\n', out);
	json_object_put(root);
}
