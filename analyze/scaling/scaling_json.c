/* SPDX-License-Identifier: MIT */
/* {"format": "ptrace-scaling", "version": 1}: all that the text shows, without a limit of rows. */
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/scaling/scaling_print.h"
#include "analyze/scaling/scaling_words.h"

#include <math.h>
#include <stdlib.h>

static struct json_object *text_json(char *text)
{
	struct json_object *object = json_text(text);

	free(text);
	return object;
}

/* Differences may be negative, where seconds of the report are not. */
static struct json_object *difference_json(double ns)
{
	return json_number(ns / 1e9);
}

static struct json_object *grade_json(enum grade grade)
{
	return json_text(text_grade(grade));
}

static struct json_object *list_json(const double *ns, size_t count)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		json_object_array_add(list, difference_json(ns[i]));
	return list;
}

/* Coefficients in seconds. */
static struct json_object *growth_json(const struct growth_fit *fit)
{
	if (!fit->is_known)
		return NULL;
	struct json_object *object = json_object_new_object();

	json_add(object, "term", text_json(growth_fit_term(fit)));
	json_add(object, "constant", difference_json(fit->constant));
	json_add(object, "factor", difference_json(fit->factor));
	json_add(object, "exponent", json_number(fit->exponent));
	json_add(object, "log_exponent", json_object_new_int(fit->log_exponent));
	json_add(object, "r_squared", json_number(fit->r_squared));
	json_add(object, "error_percent", json_number(fit->error_percent));
	return object;
}

static struct json_object *runs_json(const struct scaling *it, const struct scaling_point *point)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = point->first; i < point->first + point->count; i++) {
		struct json_object *object = json_object_new_object();

		json_add(object, "directory", json_text(it->runs[i].directory));
		json_add(object, "elapsed_seconds", difference_json(it->runs[i].elapsed_ns));
		json_add(object, "complete", json_object_new_boolean(it->runs[i].is_complete));
		json_add(object, "median", json_object_new_boolean(i == point->median));
		json_object_array_add(list, object);
	}
	return list;
}

static struct json_object *point_json(const struct scaling *it, const struct scaling_point *point)
{
	const struct scaling_run *run = &it->runs[point->median];
	struct json_object *object = json_object_new_object();

	json_add(object, "p", json_number(point->p));
	json_add(object, "elapsed_seconds", difference_json(run->elapsed_ns));
	json_add(object, "speedup", json_number(point->speedup));
	json_add(object, "efficiency", json_number(point->efficiency));
	json_add(object, "gain_per_doubling", json_number(point->step_gain));
	json_add(object, it->is_weak ? "gustafson_serial" : "karp_flatt",
		 json_number(point->serial));
	json_add(object, "serial_seconds", difference_json(run->sequential_ns));
	json_add(object, "serial_grade", grade_json(run->sequential_grade));
	json_add(object, "useful_seconds", difference_json(run->useful_ns));
	json_add(object, "parallel_efficiency", json_number(run->parallel));
	json_add(object, "computation_scaling", json_number(point->computation));
	json_add(object, "ready_seconds", difference_json(run->ready_ns));
	json_add(object, "processors", run->processors ? json_count(run->processors) : NULL);
	json_add(object, "lost_seconds", difference_json(point->lost_ns));
	json_add(object, "runs", runs_json(it, point));
	return object;
}

static struct json_object *amdahl_json(const struct scaling *it)
{
	if (it->is_weak)
		return NULL;
	struct json_object *object = json_object_new_object();

	json_add(object, "serial", json_number(it->amdahl.serial));
	json_add(object, "single_seconds", difference_json(it->amdahl.single_ns));
	json_add(object, "limit", json_number(it->amdahl.limit));
	json_add(object, "error_percent", json_number(it->amdahl.error_percent));
	json_add(object, "measured_serial", json_number(it->measured_serial));
	return object;
}

static struct json_object *cause_json(const struct scaling *it, const struct scaling_cause *cause)
{
	const struct scaling_point *last = &it->points[it->count - 1];
	double lost = cause->lost_ns[it->count - 1], doublings = log2(last->p / it->points[0].p);
	struct json_object *object = json_object_new_object();

	json_add(object, "kind", json_text(cost_kind_name(cause->kind)));
	json_add(object, "key", json_text(*cause->key ? cause->key : NULL));
	json_add(object, "place", json_text(*cause->place ? cause->place : NULL));
	json_add(object, "text", text_json(scaling_cause_text(cause)));
	json_add(object, "blame", text_json(scaling_blame_text(cause)));
	json_add(object, "grade", grade_json(cost_kind_grade(cause->kind)));
	json_add(object, "seconds", list_json(cause->time_ns, it->count));
	json_add(object, "lost_seconds", list_json(cause->lost_ns, it->count));
	json_add(object, "share", json_number(last->lost_ns > 0 ? lost / last->lost_ns : NAN));
	json_add(object, "lost_seconds_per_doubling", difference_json(lost / doublings));
	json_add(object, "growth", growth_json(&cause->growth));
	return object;
}

static struct json_object *verdict_json(const struct scaling *it)
{
	static const char *const ends[] = {"holds", "loses", "stops"};
	const struct scaling_cause *cause =
		it->end_cause < it->cause_count ? &it->causes[it->end_cause] : NULL;
	struct json_object *object = json_object_new_object();

	json_add(object, "scaling", json_text(ends[it->end]));
	json_add(object, "p", json_number(it->points[it->end_point].p));
	json_add(object, "efficiency", json_number(it->points[it->end_point].efficiency));
	json_add(object, "cause_kind", json_text(cause ? cost_kind_name(cause->kind) : NULL));
	json_add(object, "cause_key", json_text(cause && *cause->key ? cause->key : NULL));
	json_add(object, "text", text_json(scaling_verdict_text(it)));
	return object;
}

static struct json_object *notes_json(const struct scaling *it)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < it->notes.count; i++)
		json_object_array_add(list, json_text(it->notes.texts[i]));
	return list;
}

struct json_object *scaling_json(const struct scaling *it)
{
	static const char *const scales[] = {"given", "mpi", "openmp", "threads"};
	const struct scaling_run *last = scaling_median(it, it->count - 1);
	struct json_object *root = json_object_new_object(), *points = json_object_new_array(),
			   *causes = json_object_new_array();

	for (size_t i = 0; i < it->count; i++)
		json_object_array_add(points, point_json(it, &it->points[i]));
	for (size_t i = 0; i < it->cause_count; i++)
		json_object_array_add(causes, cause_json(it, &it->causes[i]));
	json_add(root, "format", json_text("ptrace-scaling"));
	json_add(root, "version", json_object_new_int(1));
	json_add(root, "program", json_text(last->program));
	json_add(root, "weak", json_object_new_boolean(it->is_weak));
	json_add(root, "per", it->runs[0].per ? json_text(it->runs[0].per) : NULL);
	json_add(root, "requests", it->requests > 0 ? json_count((uint64_t)it->requests) : NULL);
	json_add(root, "scale", json_text(scales[last->scale.kind]));
	json_add(root, "verdict", verdict_json(it));
	json_add(root, "points", points);
	json_add(root, "growth", growth_json(&it->growth));
	json_add(root, "amdahl", amdahl_json(it));
	json_add(root, "instruction_scaling", json_number(it->instruction_scaling));
	json_add(root, "ipc_scaling", json_number(it->ipc_scaling));
	json_add(root, "causes", causes);
	json_add(root, "notes", notes_json(it));
	return root;
}

void scaling_print_json(FILE *out, const struct scaling *it)
{
	struct json_object *root = scaling_json(it);

	fputs(json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY |
							   JSON_C_TO_STRING_SPACED |
							   JSON_C_TO_STRING_NOSLASHESCAPE),
	      out);
	fputc('\n', out);
	json_object_put(root);
}
