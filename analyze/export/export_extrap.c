/* SPDX-License-Identifier: MIT */
#include "analyze/export/export_extrap.h"

#include "analyze/export/export.h"
#include "analyze/scaling/scaling_read.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* In this format "->" separates the frames of call paths, and white space is collapsed: names must
 * contain neither. */
static void print_name(FILE *out, const char *name)
{
	for (; *name; name++)
		if (name[0] == '-' && name[1] == '>')
			fputs("- ", out);
		else
			fputc(isspace((unsigned char)*name) || iscntrl((unsigned char)*name)
				      ? ' '
				      : *name,
			      out);
}

static double elapsed_of(const struct scaling_run *run, const void *data)
{
	(void)data;
	return run->elapsed_ns;
}

static int compare_costs(const void *left, const void *right)
{
	return scaling_cost_compare(left, right);
}

static double cost_of(const struct scaling_run *run, const void *data)
{
	const struct scaling_cause *cause = data;
	struct scaling_cost probe = {.kind = cause->kind, .key = (char *)(size_t)cause->key};
	const struct scaling_cost *row = bsearch(&probe, run->costs.rows, run->costs.count,
						 sizeof *run->costs.rows, compare_costs);

	return row ? row->time_ns : 0;
}

/* A line for each point, in their order, with a value for each of its runs. */
static void print_data(FILE *out, const struct scaling *it,
		       double (*value_of)(const struct scaling_run *run, const void *data),
		       const void *data)
{
	for (size_t i = 0; i < it->count; i++) {
		const struct scaling_point *point = &it->points[i];

		fputs("DATA", out);
		for (size_t j = point->first; j < point->first + point->count; j++)
			fprintf(out, " %.9f", value_of(&it->runs[j], data) / 1e9);
		fputc('\n', out);
	}
}

static void print_points(FILE *out, const struct scaling *it)
{
	fputs("PARAMETER p\nPOINTS", out);
	for (size_t i = 0; i < it->count; i++)
		fprintf(out, " (%.10g)", it->points[i].p);
	fputc('\n', out);
}

void extrap_print(FILE *out, const struct scaling *it)
{
	fprintf(out, "# seconds; p: scale of the run of ");
	print_name(out, it->runs[0].program);
	fputc('\n', out);
	print_points(out, it);
	fputs("\nMETRIC elapsed\nREGION run->", out);
	print_name(out, it->runs[0].program);
	fputc('\n', out);
	print_data(out, it, elapsed_of, NULL);
	fputs("\nMETRIC time\n", out);
	for (size_t i = 0; i < it->cause_count; i++) {
		const struct scaling_cause *cause = &it->causes[i];

		fprintf(out, "REGION run->%s", cost_kind_name(cause->kind));
		if (*cause->key) {
			fputs("->", out);
			print_name(out, cause->key);
		}
		fputc('\n', out);
		print_data(out, it, cost_of, cause);
	}
}

void export_extrap(struct export *export)
{
	/* The text contains what was measured: whether the scaling is strong or weak does not
	 * change it. */
	struct scaling scaling =
		scaling_read(export->runs, export->run_count, export->symbols, false, NULL);

	extrap_print(export->out, &scaling);
	export->is_complete = true;
	for (size_t i = 0; i < scaling.run_count; i++) {
		if (scaling.runs[i].is_complete)
			continue;
		export->is_complete = false;
		text_list_add(&export->notes, "%s ended before its time, or is damaged",
			      scaling.runs[i].directory);
	}
	scaling_clear(&scaling);
}
