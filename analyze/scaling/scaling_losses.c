/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1 /* qsort_r */
#include "analyze/scaling/scaling_losses.h"

#include "analyze/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROWTH_SHARE 0.005

/* A row of a point's run; the texts belong to the run. */
struct entry {
	const struct scaling_cost *cost;
	size_t point;
};

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = scaling_cost_compare(a->cost, b->cost);

	return order ? order : (a->point > b->point) - (a->point < b->point);
}

static struct entry *gather(const struct scaling *it, size_t *count)
{
	size_t all = 0;

	for (size_t i = 0; i < it->count; i++)
		all += scaling_median(it, i)->costs.count;
	struct entry *entries = memory_allocate(all + 1, sizeof *entries);

	*count = 0;
	for (size_t i = 0; i < it->count; i++) {
		const struct scaling_costs *costs = &scaling_median(it, i)->costs;

		for (size_t j = 0; j < costs->count; j++)
			entries[(*count)++] = (struct entry){&costs->rows[j], i};
	}
	qsort(entries, *count, sizeof *entries, compare_entries);
	return entries;
}

static struct scaling_cause *new_cause(struct scaling *it, const struct scaling_cost *cost)
{
	struct scaling_cause *cause = &it->causes[it->cause_count++];

	cause->kind = cost->kind;
	cause->key = cost->key;
	cause->time_ns = memory_allocate(it->count, sizeof *cause->time_ns);
	cause->lost_ns = memory_allocate(it->count, sizeof *cause->lost_ns);
	return cause;
}

/* A form of what is negligible everywhere would be one of its noise. */
static bool has_growth(const struct scaling *it, const struct scaling_cause *cause)
{
	for (size_t i = 0; i < it->count; i++) {
		double processor_ns = it->points[i].p * scaling_median(it, i)->elapsed_ns;

		if (fabs(cause->time_ns[i]) > GROWTH_SHARE * processor_ns)
			return true;
	}
	return false;
}

static void finish_cause(const struct scaling *it, struct scaling_cause *cause)
{
	struct growth_point *points = memory_allocate(it->count, sizeof *points);

	for (size_t i = 0; i < it->count; i++) {
		double work = it->is_weak ? it->points[i].p / it->points[0].p : 1;

		cause->lost_ns[i] = cause->time_ns[i] - work * cause->time_ns[0];
		points[i] = (struct growth_point){it->points[i].p, cause->time_ns[i]};
	}
	cause->growth = growth_fit_of(points, has_growth(it, cause) ? it->count : 0, cause->noise);
	free(points);
}

static bool is_nothing(const struct scaling *it, const struct scaling_cause *cause)
{
	for (size_t i = 0; i < it->count; i++)
		if (cause->time_ns[i] != 0)
			return false;
	return cause->kind != COST_REST;
}

/* The most lost at the last point first; the rest is the last. */
static int compare_causes(const void *left, const void *right, void *last)
{
	const struct scaling_cause *a = left, *b = right;
	double a_lost = a->lost_ns[*(const size_t *)last],
	       b_lost = b->lost_ns[*(const size_t *)last];

	if ((a->kind == COST_REST) != (b->kind == COST_REST))
		return a->kind == COST_REST ? 1 : -1;
	if (a_lost != b_lost)
		return a_lost < b_lost ? 1 : -1;
	return a->kind != b->kind ? (a->kind > b->kind ? 1 : -1) : strcmp(a->key, b->key);
}

static void drop_nothings(struct scaling *it)
{
	size_t kept = 0;

	for (size_t i = 0; i < it->cause_count; i++) {
		struct scaling_cause *cause = &it->causes[i];

		if (!is_nothing(it, cause)) {
			it->causes[kept++] = *cause;
			continue;
		}
		free(cause->time_ns);
		free(cause->lost_ns);
	}
	it->cause_count = kept;
}

void scaling_add_losses(struct scaling *it)
{
	size_t count, last = it->count - 1;
	struct entry *entries = gather(it, &count);
	struct scaling_cause *cause = NULL;

	it->causes = memory_allocate(count + 1, sizeof *it->causes);
	for (size_t i = 0; i < count; i++) {
		const struct scaling_cost *cost = entries[i].cost;

		if (!cause || cause->kind != cost->kind || strcmp(cause->key, cost->key))
			cause = new_cause(it, cost);
		cause->time_ns[entries[i].point] += cost->time_ns;
		cause->place = cost->place;
		if (cost->samples)
			cause->noise = fmax(cause->noise, 1 / sqrt((double)cost->samples));
	}
	for (size_t i = 0; i < it->cause_count; i++)
		finish_cause(it, &it->causes[i]);
	drop_nothings(it);
	qsort_r(it->causes, it->cause_count, sizeof *it->causes, compare_causes, &last);
	free(entries);
}

/* ---- which are shown */

static bool is_more_lost(const struct scaling_cause *a, const struct scaling_cause *b, size_t point)
{
	return fabs(a->lost_ns[point]) > fabs(b->lost_ns[point]);
}

bool *scaling_choose_causes(const struct scaling *it, size_t top, size_t *left_out)
{
	bool *is_shown = memory_allocate(it->cause_count + 1, sizeof *is_shown);
	size_t causes = it->cause_count, shown = 0;

	while (causes && it->causes[causes - 1].kind == COST_REST)
		is_shown[--causes] = true;
	top = top ? top : causes;
	if (top >= causes) {
		memset(is_shown, true, causes * sizeof *is_shown);
		shown = causes;
	}
	for (; shown < causes && shown < top; shown++) {
		size_t most = causes;

		for (size_t i = 0; i < causes; i++)
			if (!is_shown[i] &&
			    (most == causes ||
			     is_more_lost(&it->causes[i], &it->causes[most], it->count - 1)))
				most = i;
		is_shown[most] = true;
	}
	*left_out = causes - shown;
	return is_shown;
}
