/* SPDX-License-Identifier: MIT */
#include "analyze/diff/compare.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/diff/decide.h"
#include "analyze/diff/diff_test.h"
#include "analyze/diff/evidence.h"
#include "analyze/diff/metrics.h"
#include "analyze/diff/socket_keys.h"
#include "analyze/diff/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As a fraction of A's elapsed time. */
#define LOG_SHIFT 0.01

/* ---- matching: one row for each name, with a value for each run */

static bool adds_up(const struct figure *figure)
{
	return figure->unite == UNITE_SUM && figure->unit != UNIT_PERCENT &&
	       figure->section != SECTION_OVERVIEW && figure->section != SECTION_COUNTERS;
}

static void start_side(struct change_side *at, const struct figure *figure, size_t runs)
{
	at->values = memory_allocate(runs, sizeof *at->values);
	for (size_t i = 0; i < runs && !adds_up(figure); i++)
		at->values[i] = NAN;
}

static struct change *find_change(struct changes *changes, struct keyed_table *index,
				  const struct figure *figure, const struct side sides[2])
{
	const struct figure_name probe = {figure->section, figure->key, figure->metric};
	size_t number = keyed_table_number(index, &probe);

	if (number < changes->count)
		return &changes->rows[number];
	changes->rows = memory_grow(changes->rows, changes->count, &changes->capacity,
				    sizeof *changes->rows);
	struct change *change = &changes->rows[changes->count++];

	for (size_t side = 0; side < 2; side++)
		start_side(&change->sides[side], figure, sides[side].count);
	return change;
}

/* A lock that nobody waited for has no kind of wait yet; a routine may lack its file; what is
 * unknown in one run has no unit there. */
static bool tells_more(const struct figure *figure, const struct figure *than)
{
	if (figure->unit != than->unit)
		return than->unit == UNIT_NUMBER;
	if (figure->role != than->role)
		return figure->role > than->role;
	return figure->shown && strlen(figure->shown) >= strlen(than->shown ? than->shown : "");
}

/* Errors are summed as squares until all runs are added (finish_side). */
static void add_run(struct changes *changes, struct keyed_table *index, const struct side sides[2],
		    size_t side, size_t run)
{
	const struct figures *figures = sides[side].runs[run].figures;

	for (size_t i = 0; i < figures->count; i++) {
		const struct figure *figure = &figures->rows[i];
		struct change *change = find_change(changes, index, figure, sides);
		struct change_side *at = &change->sides[side];

		if (!change->figure || tells_more(figure, change->figure))
			change->figure = figure;
		at->values[run] = figure->value;
		at->present++;
		at->error += figure->error * figure->error;
		at->effect_ns += figure->effect_ns;
		at->disturbance += figure->disturbance;
	}
}

static double *known_values(const struct change_side *side, size_t runs, size_t *count)
{
	double *known = memory_allocate(runs, sizeof *known);

	*count = 0;
	for (size_t i = 0; i < runs; i++)
		if (isfinite(side->values[i]))
			known[(*count)++] = side->values[i];
	return known;
}

static void finish_side(struct change_side *side, size_t runs)
{
	double *known = known_values(side, runs, &side->known);

	side->median = diff_test_median(known, side->known);
	for (size_t i = 0; i < side->known; i++)
		side->mean += known[i] / (double)side->known;
	side->error = sqrt(side->error) / (double)runs;
	side->effect_ns /= (double)runs;
	side->disturbance /= (double)runs;
	free(known);
}

/* A routine without samples may have run for as long as one sample stands for. */
static void complete_errors(struct change *change)
{
	for (size_t side = 0; side < 2; side++) {
		const struct change_side *other = &change->sides[!side];

		if (!change->sides[side].present && other->median > 0)
			change->sides[side].error = other->error * other->error / other->median;
	}
}

/* The shift, below which ratios do not count: the value that means a hundredth of the elapsed
 * time. */
static double shift_of(const struct change *change, double elapsed_ns)
{
	static const double units[] = {
		[UNIT_COUNT] = 1, [UNIT_BYTES] = 1, [UNIT_PERCENT] = 1, [UNIT_NUMBER] = 0.01};
	double value = change->sides[0].mean + change->sides[1].mean;
	double effect = change->sides[0].effect_ns + change->sides[1].effect_ns;

	if (change->figure->role == ROLE_DECIDES)
		return 0;
	if (change->figure->unit != UNIT_NS)
		return units[change->figure->unit];
	return LOG_SHIFT * elapsed_ns * (effect > 0 && value > 0 ? value / effect : 1);
}

static void compare_values(struct change *change, const struct side sides[2])
{
	double *a = known_values(&change->sides[0], sides[0].count, &change->sides[0].known);
	double *b = known_values(&change->sides[1], sides[1].count, &change->sides[1].known);
	size_t a_count = change->sides[0].known, b_count = change->sides[1].known;

	change->deviation = diff_test_deviation(a, a_count, b, b_count);
	change->welch.is_exact =
		change->figure->unit == UNIT_COUNT || change->figure->unit == UNIT_BYTES;
	diff_welch_set(&change->welch, 0, a, a_count, change->shift);
	diff_welch_set(&change->welch, 1, b, b_count, change->shift);
	change->probability = a_count + b_count > 2 ? diff_test_ranks(a, a_count, b, b_count) : NAN;
	free(a);
	free(b);
}

/* ---- order */

static double size_of(const struct change *change)
{
	return isfinite(change->effect_ns) ? fabs(change->effect_ns) : -1;
}

static int compare_changes(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	if (a->figure->section != b->figure->section)
		return a->figure->section < b->figure->section ? -1 : 1;
	if (a->figure->section != SECTION_OVERVIEW && size_of(a) != size_of(b))
		return size_of(a) > size_of(b) ? -1 : 1;
	if (a->figure->section == SECTION_OVERVIEW) /* in the order of the extractor */
		return a->order < b->order ? -1 : a->order > b->order;
	int order = strcmp(a->figure->key, b->figure->key);

	return order ? order : strcmp(a->figure->metric, b->figure->metric);
}

static void match(struct changes *changes, const struct side sides[2])
{
	struct keyed_table *index = figures_create_index();

	for (size_t side = 0; side < 2; side++)
		for (size_t run = 0; run < sides[side].count; run++)
			add_run(changes, index, sides, side, run);
	keyed_table_destroy(index);
}

static double median_elapsed(const struct side *side)
{
	double *values = memory_allocate(side->count, sizeof *values);

	for (size_t i = 0; i < side->count; i++)
		values[i] = side->runs[i].elapsed_ns;
	double median = diff_test_median(values, side->count);

	free(values);
	return median;
}

static double mean_neighbours(const struct side sides[2])
{
	double sum = 0;

	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < sides[side].count; i++)
			sum += sides[side].runs[i].figures->neighbours;
	return sum / (double)(sides[0].count + sides[1].count);
}

static void finish(struct change *change, size_t order, const struct side sides[2],
		   double elapsed_ns)
{
	change->order = order;
	for (size_t side = 0; side < 2; side++)
		finish_side(&change->sides[side], sides[side].count);
	complete_errors(change);
	change->shift = shift_of(change, elapsed_ns);
	compare_values(change, sides);
}

static void find_run(struct changes *changes)
{
	changes->elapsed = changes_find(changes, SECTION_OVERVIEW, "elapsed time", "time");
	changes->cpu = changes_find(changes, SECTION_OVERVIEW, "CPU time", "time");
}

struct changes changes_of_metrics(struct side sides[2], double threshold_percent, unsigned metrics)
{
	socket_keys_match(sides);
	struct changes changes = {.threshold_percent = threshold_percent,
				  .metrics = metrics,
				  .elapsed_ns = median_elapsed(&sides[0]),
				  .is_in_turn = side_are_in_turn(sides),
				  .neighbours = mean_neighbours(sides)};

	match(&changes, sides);
	for (size_t i = 0; i < changes.count; i++)
		finish(&changes.rows[i], i, sides, changes.elapsed_ns);
	find_run(&changes);
	verdict_spread(&changes);
	for (size_t i = 0; i < changes.count; i++)
		verdict_judge(&changes.rows[i], &changes);
	qsort(changes.rows, changes.count, sizeof *changes.rows, compare_changes);
	find_run(&changes);
	evidence_find(&changes, sides);
	decide_all(&changes);
	return changes;
}

struct changes changes_of(struct side sides[2], double threshold_percent)
{
	return changes_of_metrics(sides, threshold_percent, METRICS_DEFAULT);
}
