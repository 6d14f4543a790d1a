/* SPDX-License-Identifier: MIT */
#include "analyze/diff/headline_asked.h"

#include "analyze/base/memory.h"
#include "analyze/diff/decide.h"
#include "analyze/diff/headline_figure.h"
#include "analyze/diff/headline_routine.h"
#include "analyze/diff/metrics.h"
#include "analyze/diff/words.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool headline_is_of_times(const struct changes *changes)
{
	return !changes->elapsed || !changes->cpu || changes->cpu->decides ||
	       (changes->metrics & METRIC_BIT(METRIC_ELAPSED));
}

/* ---- figures that decide alone */

/* Of several servers, the one that changed most. */
static const struct change *largest_of(const struct changes *changes, enum metric metric,
				       size_t *count)
{
	const struct change *best = NULL;

	*count = 0;
	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->rows[i];

		if (decide_metric_alone(changes, change) != metric)
			continue;
		++*count;
		if (!best || fabs(change->change_percent) > fabs(best->change_percent))
			best = change;
	}
	return best;
}

static char *alone_text(const struct changes *changes, enum metric metric)
{
	size_t count;
	const struct change *change = largest_of(changes, metric, &count);

	if (!change)
		return memory_print("there are no figures of %s", metrics_name(metric));
	char *name = count > 1 ? memory_print("%s of %s", change->figure->metric,
					      words_name(change->figure))
			       : memory_copy_text(change->figure->metric);
	char *text = headline_figure(name, change, true);

	free(name);
	return text;
}

/* ---- routines and counts */

static const struct change *largest_routine(const struct changes *changes)
{
	for (size_t i = 0; i < changes->count; i++) /* the largest effect first */
		if (headline_is_own_time(&changes->rows[i]))
			return &changes->rows[i];
	return NULL;
}

static char *routines_text(const struct changes *changes)
{
	const struct change *change = largest_routine(changes);

	if (!change)
		return memory_copy_text("there are no samples of routines");
	char *told = headline_routine_figure(change);
	char *text = memory_print("the routine that changed most: CPU time of %s", told);

	free(told);
	return text;
}

static bool has_evidence(const struct changes *changes, enum evidence first, enum evidence last)
{
	for (size_t i = 0; i < changes->count; i++)
		if (changes->rows[i].evidence >= first && changes->rows[i].evidence <= last)
			return true;
	return false;
}

static char *new_text(const struct changes *changes)
{
	return memory_copy_text(has_evidence(changes, EVIDENCE_NEW, EVIDENCE_GONE)
					? "no routine is new or gone without replacement"
					: "no routine is new or gone");
}

static char *counts_text(const struct changes *changes)
{
	return memory_copy_text(has_evidence(changes, EVIDENCE_COUNT, EVIDENCE_COUNT)
					? "counts tell of no other amount of work"
					: "no count has changed");
}

/* ---- all of them */

static char *text_of(const struct changes *changes, enum metric metric)
{
	switch (metric) {
	case METRIC_CPU:
		return headline_figure(changes->cpu->figure->key, changes->cpu, true);
	case METRIC_ROUTINES:
		return routines_text(changes);
	case METRIC_NEW:
		return new_text(changes);
	case METRIC_WORK:
	case METRIC_COUNTS:
		return counts_text(changes);
	default:
		return alone_text(changes, metric);
	}
}

/* Work and counts say the same. */
static bool is_told_by_another(const struct changes *changes, enum metric metric)
{
	return metric == METRIC_WORK && (changes->metrics & METRIC_BIT(METRIC_COUNTS));
}

char *headline_asked(const struct changes *changes)
{
	char *text = memory_copy_text("");

	for (enum metric metric = 0; metric < METRIC_LIMIT; metric++) {
		if (!(changes->metrics & METRIC_BIT(metric)) || is_told_by_another(changes, metric))
			continue;
		char *told = text_of(changes, metric);
		char *longer = memory_print("%s%s%s", text, *text ? ", " : "", told);

		free(text);
		free(told);
		text = longer;
	}
	return text;
}
