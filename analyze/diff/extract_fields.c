/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"
#include "analyze/report/row_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const enum figure_unit units[] = {
	[VALUE_SECONDS] = UNIT_NS,     [VALUE_REAL_SECONDS] = UNIT_NS, [VALUE_COUNT] = UNIT_COUNT,
	[VALUE_SIZE] = UNIT_BYTES,     [VALUE_PERCENT] = UNIT_PERCENT, [VALUE_NUMBER] = UNIT_NUMBER,
	[VALUE_UNKNOWN] = UNIT_NUMBER, [VALUE_FLAG] = UNIT_NUMBER,
};

static double elapsed_of(const struct extract_row *of, enum figure_time time, double ns)
{
	double by = of->scale[time].by;

	return by > 0 ? ns * of->scale[time].times / by : NAN;
}

/* CPU times of rows are sampled, and longer beside other programs. */
static void complete_cpu(const struct extract *extract, const struct extract_row *of,
			 struct figure *figure)
{
	double samples = (double)of->samples;

	figure->is_cpu = true;
	figure->grade = grade_worse(figure->grade, GRADE_SAMPLED);
	figure->error = samples > 0 ? figure->value / sqrt(samples) : 0;
	figure->disturbance = figure->value * extract->load.share;
}

static void add_figure(const struct extract *extract, const struct extract_row *of,
		       const struct field_diff *diff, struct value value)
{
	struct figure figure = of->like;

	figure.key = of->like.key ? of->like.key : diff->metric;
	figure.metric = of->like.key ? diff->metric : of->like.metric;
	figure.unit = diff->is_fraction ? UNIT_PERCENT : units[value.kind];
	figure.sense = diff->sense;
	figure.role = diff->role == ROLE_OF_ROW ? of->role : diff->role;
	figure.is_further |= diff->is_further;
	figure.grade = grade_worse(figure.grade, value.grade);
	figure.value = value_figure(value) * (diff->is_fraction ? 100 : 1);
	figure.error = figure.unit == UNIT_NS ? of->like.error : 0;
	figure.effect_ns = NAN;
	if (figure.unit == UNIT_NS && figure.sense != SENSE_NEUTRAL)
		figure.effect_ns = elapsed_of(of, diff->time, figure.value);
	if (figure.unit == UNIT_NS && diff->time == TIME_CPU)
		complete_cpu(extract, of, &figure);
	figures_add(extract->figures, &figure);
}

/* A share that is unknown is none: it does not add up, so that nothing is compared with it. */
static bool is_figure(const struct extract_row *of, const struct field_diff *diff,
		      struct value value)
{
	double number = value_figure(value);

	if (value.kind == VALUE_NONE || (diff->is_fraction && !isfinite(number)))
		return false;
	return !(of->is_sparse && number <= 0);
}

void extract_fields(const struct extract *extract, const struct extract_row *of,
		    const struct row_fields *fields, const void *row)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct row_field *field = &fields->rows[i];

		if (!field->diff.metric && !field->carried)
			continue;
		struct value value = field->get(&extract->report, row);

		if (field->carried)
			extract_carried(extract, &of->like, field->carried, value.row);
		else if (is_figure(of, &field->diff, value))
			add_figure(extract, of, &field->diff, value);
	}
}

/* ---- columns that are carried to every output */

#define SECONDS "_seconds"

/* "flight" of "flight_seconds", "bytes sent" of "bytes_sent". */
static char *metric_of(const struct carried_sum *sum)
{
	char *metric = memory_copy_text(sum->shown);
	size_t length = strlen(metric), cut = sizeof SECONDS - 1;

	if (length > cut && !strcmp(metric + length - cut, SECONDS))
		metric[length - cut] = '\0';
	for (char *at = metric; *at; at++)
		if (*at == '_')
			*at = ' ';
	return metric;
}

void extract_carried(const struct extract *extract, const struct figure *like,
		     const struct carried *carried, const void *row)
{
	for (size_t i = 0; i < carried->count; i++) {
		struct figure figure = *like;
		char *metric = metric_of(&carried->rows[i]);

		figure.key = like->key ? like->key : metric;
		figure.metric = like->key ? metric : "sum";
		figure.unit = figures_unit(carried->rows[i].unit);
		figure.is_further |= figure.unit != UNIT_BYTES;
		figure.value = row ? carried_real(&carried->rows[i], row) : NAN;
		figure.effect_ns = NAN;
		if (!(figure.value <= 0))
			figures_add(extract->figures, &figure);
		free(metric);
	}
}
