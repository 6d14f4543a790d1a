/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/scaling_compute.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/scaling/scaling_losses.h"
#include "analyze/scaling/scaling_model.h"
#include "analyze/scaling/scaling_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- notes: what a reader must know before believing a comparison */

#define BUSY_SHARE 0.1

/* A scale that the user gave need not be a number of threads. */
static void add_processors_note(struct scaling *it)
{
	for (size_t i = 0; i < it->count; i++) {
		const struct scaling_run *run = scaling_median(it, i);
		bool is_full = run->processors && it->points[i].p > (double)run->processors;

		if (!is_full || run->scale.kind == SCALE_GIVEN)
			continue;
		char *p = scaling_p_text(it, it->points[i].p);

		text_list_add(
			&it->notes,
			"from %s on there are more than the %llu processor%s: what lacks one is the "
			"machine's limit, not the program's",
			p, (unsigned long long)run->processors, run->processors == 1 ? "" : "s");
		free(p);
		return;
	}
}

/* A run that has a processor for each thread and still lacks processors shares them with other
 * programs. */
static void add_company_note(struct scaling *it)
{
	const struct scaling_point *worst = NULL;
	double most = BUSY_SHARE;

	for (size_t i = 0; i < it->count; i++) {
		const struct scaling_run *run = scaling_median(it, i);
		double share = run->ready_ns / (it->points[i].p * run->elapsed_ns);

		if (run->scale.kind != SCALE_GIVEN && it->points[i].p <= (double)run->processors &&
		    share > most) {
			worst = &it->points[i];
			most = share;
		}
	}
	if (!worst)
		return;
	char *p = scaling_p_text(it, worst->p);

	text_list_add(&it->notes,
		      "with %s, a processor was lacking for %s of the time, though there are "
		      "enough: other programs or threads were running",
		      p, quantity_percent(100 * most).text);
	free(p);
}

/* Points and runs must be there. */
static void scaling_add_notes(struct scaling *it)
{
	for (size_t i = 0; i < it->run_count; i++)
		if (!it->runs[i].is_complete)
			text_list_add(&it->notes,
				      "%s is incomplete: its figures are those until it ended or "
				      "was read",
				      it->runs[i].directory);
	add_company_note(it);
	add_processors_note(it);
	if (it->count < GROWTH_POINTS_MIN)
		text_list_add(&it->notes,
			      "no growth is fitted: it takes %d different p, and %d "
			      "for a good one",
			      GROWTH_POINTS_MIN, GROWTH_POINTS_GOOD);
	else if (it->count < GROWTH_POINTS_GOOD)
		text_list_add(&it->notes,
			      "growth is fitted to %zu points: with fewer than %d only the common "
			      "forms are tried, and it may be another one",
			      it->count, GROWTH_POINTS_GOOD);
}

static int compare_runs(const void *left, const void *right)
{
	const struct scaling_run *a = left, *b = right;

	if (a->scale.p != b->scale.p)
		return a->scale.p > b->scale.p ? 1 : -1;
	if (a->elapsed_ns != b->elapsed_ns)
		return a->elapsed_ns > b->elapsed_ns ? 1 : -1;
	return strcmp(a->directory, b->directory);
}

/* ---- servers */

#define REQUESTS_LEAST 100

static void scale_times(struct scaling_run *run, double factor)
{
	run->elapsed_ns *= factor;
	run->useful_ns *= factor;
	run->sequential_ns *= factor;
	run->ready_ns *= factor;
	run->counters.instructions *= factor;
	run->counters.cycles *= factor;
	for (size_t i = 0; i < run->costs.count; i++)
		run->costs.rows[i].time_ns *= factor;
}

/* Runs are sorted by p. */
static void count_requests(struct scaling *it)
{
	for (size_t i = 0; i < it->run_count; i++)
		if (it->is_weak || it->runs[i].requests < (it->runs[i].per ? 1 : REQUESTS_LEAST))
			return;
	it->requests = it->runs[0].requests;
	for (size_t i = 0; i < it->run_count; i++)
		scale_times(&it->runs[i], it->requests / it->runs[i].requests);
	qsort(it->runs, it->run_count, sizeof *it->runs, compare_runs);
}

/* ---- points */

static void add_points(struct scaling *it)
{
	it->points = memory_allocate(it->run_count, sizeof *it->points);
	for (size_t i = 0; i < it->run_count; i++) {
		struct scaling_point *last = it->count ? &it->points[it->count - 1] : NULL;

		if (last && last->p == it->runs[i].scale.p)
			last->count++;
		else
			it->points[it->count++] = (struct scaling_point){
				.p = it->runs[i].scale.p, .first = i, .count = 1};
	}
	for (size_t i = 0; i < it->count; i++)
		it->points[i].median = it->points[i].first + (it->points[i].count - 1) / 2;
}

/* Karp and Flatt, or for weak scaling Gustafson. */
static double serial_of(double speedup, double ratio, bool is_weak)
{
	if (!(ratio > 1))
		return NAN;
	if (is_weak)
		return (ratio - speedup) / (ratio - 1);
	return (1 / speedup - 1 / ratio) / (1 - 1 / ratio);
}

static void compute_point(struct scaling *it, size_t index)
{
	const struct scaling_run *base = scaling_median(it, 0), *run = scaling_median(it, index);
	struct scaling_point *point = &it->points[index];
	double ratio = point->p / it->points[0].p, work = it->is_weak ? ratio : 1;

	point->speedup = work * base->elapsed_ns / run->elapsed_ns;
	point->efficiency = point->speedup / ratio;
	point->serial = serial_of(point->speedup, ratio, it->is_weak);
	point->computation = work * base->useful_ns / run->useful_ns;
	point->lost_ns = point->p * run->elapsed_ns - work * it->points[0].p * base->elapsed_ns;
	point->step_gain = NAN;
	if (index) {
		const struct scaling_point *before = &it->points[index - 1];

		point->step_gain =
			pow(point->speedup / before->speedup, 1 / log2(point->p / before->p));
	}
}

/* ---- laws */

static struct growth_fit fit_elapsed(const struct scaling *it)
{
	struct growth_point *points = memory_allocate(it->count, sizeof *points);

	for (size_t i = 0; i < it->count; i++)
		points[i] =
			(struct growth_point){it->points[i].p, scaling_median(it, i)->elapsed_ns};
	struct growth_fit fit = growth_fit_of(points, it->count, 0);

	free(points);
	return fit;
}

/* T = a + b / p: sums over the points, each weighted by 1 / T^2. Two unknowns, by hand. */
struct sums {
	double w, x, y, xx, xy;
};

static struct sums sum_points(const struct scaling *it)
{
	struct sums sums = {0};

	for (size_t i = 0; i < it->count; i++) {
		double t = scaling_median(it, i)->elapsed_ns, w = 1 / (t * t);
		double x = 1 / it->points[i].p;

		sums.w += w;
		sums.x += w * x;
		sums.y += w * t;
		sums.xx += w * x * x;
		sums.xy += w * x * t;
	}
	return sums;
}

static struct scaling_amdahl amdahl_of(const struct scaling *it)
{
	struct scaling_amdahl amdahl = {NAN, NAN, NAN, NAN};
	struct sums sums = sum_points(it);
	double determinant = sums.w * sums.xx - sums.x * sums.x;

	if (it->is_weak || !(determinant > 0))
		return amdahl;
	double b = (sums.w * sums.xy - sums.x * sums.y) / determinant;
	double a = (sums.y - b * sums.x) / sums.w;

	if (a < 0) { /* more than p times faster: nothing is serial */
		a = 0;
		b = sums.xy / sums.xx;
	} else if (b < 0) { /* more threads only make it longer */
		b = 0;
		a = sums.y / sums.w;
	}
	amdahl.single_ns = a + b;
	amdahl.serial = a / (a + b);
	amdahl.limit = a > 0 ? (a + b) / a : INFINITY;
	amdahl.error_percent = 0;
	for (size_t i = 0; i < it->count; i++) {
		double t = scaling_median(it, i)->elapsed_ns;
		amdahl.error_percent +=
			100 * fabs(a + b / it->points[i].p - t) / t / (double)it->count;
	}
	return amdahl;
}

/* POP: instructions(p0) / instructions(p) and IPC(p) / IPC(p0), with the work as above. */
static void add_counters(struct scaling *it)
{
	const struct scaling_counters *base = &scaling_median(it, 0)->counters;
	const struct scaling_counters *last = &scaling_median(it, it->count - 1)->counters;
	double work = it->is_weak ? it->points[it->count - 1].p / it->points[0].p : 1;

	it->instruction_scaling = work * base->instructions / last->instructions;
	it->ipc_scaling = (last->instructions / last->cycles) / (base->instructions / base->cycles);
}

/* ---- where it ends */

static bool is_worth_a_word(double lost_ns, const struct scaling *it, size_t point)
{
	return lost_ns > 0.01 * it->points[point].p * scaling_median(it, point)->elapsed_ns;
}

static void find_end(struct scaling *it)
{
	it->end = SCALING_HOLDS;
	it->end_point = it->count - 1;
	for (size_t i = it->count; --i > 0;) {
		const struct scaling_point *point = &it->points[i];

		if (point->efficiency >= SCALING_GOOD)
			continue;
		it->end_point = i;
		it->end = point->step_gain < SCALING_STEP_GAIN ? SCALING_STOPS : SCALING_LOSES;
	}
	/* it loses efficiency at this point, and may stop scaling at a later one */
	for (size_t i = it->end_point + 1; it->end == SCALING_LOSES && i < it->count; i++)
		if (it->points[i].step_gain < SCALING_STEP_GAIN) {
			it->end_point = i;
			it->end = SCALING_STOPS;
		}
	it->end_cause = it->cause_count;
	for (size_t i = 0; i < it->cause_count; i++) {
		const struct scaling_cause *cause = &it->causes[i];
		bool is_more = it->end_cause == it->cause_count ||
			       cause->lost_ns[it->end_point] >
				       it->causes[it->end_cause].lost_ns[it->end_point];

		if (cause->kind != COST_REST && cause->kind != COST_IDLE && is_more &&
		    is_worth_a_word(cause->lost_ns[it->end_point], it, it->end_point))
			it->end_cause = i;
	}
}

/* ---- the whole */

struct scaling scaling_of(struct scaling_run *runs, size_t count, bool is_weak)
{
	struct scaling it = {.is_weak = is_weak, .runs = runs, .run_count = count};

	qsort(runs, count, sizeof *runs, compare_runs);
	count_requests(&it);
	add_points(&it);
	for (size_t i = 0; i < it.count; i++)
		compute_point(&it, i);
	it.growth = fit_elapsed(&it);
	it.amdahl = amdahl_of(&it);
	it.measured_serial = scaling_median(&it, it.count - 1)->sequential_ns / it.amdahl.single_ns;
	add_counters(&it);
	scaling_add_losses(&it);
	find_end(&it);
	scaling_add_notes(&it);
	return it;
}
