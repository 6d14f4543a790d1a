/* SPDX-License-Identifier: MIT */
#include "analyze/model/threads/lives.h"

#include "analyze/base/memory.h"

#include <stdlib.h>

#define JOINING_PERCENT 50

/* ---- lives */

/* A damaged profile may have instants in centuries, for which doubles may be equal; a life that
 * ends before it begins would be counted as negative. */
void lives_add(struct lives *lives, const struct life *life)
{
	if (!(life->end_ns > life->begin_ns))
		return;
	lives->rows = memory_grow(lives->rows, lives->count, &lives->capacity, sizeof *lives->rows);
	lives->rows[lives->count++] = *life;
}

void lives_clear(struct lives *lives)
{
	free(lives->rows);
	*lives = (struct lives){0};
}

/* ---- as steps of a curve */

/* At `time_ns` the number alive changes by `by` to `alive`; before it, two or more were alive for
 * `shared_ns`. */
struct step {
	double time_ns;
	int64_t by, alive;
	double shared_ns;
};

struct steps {
	struct step *rows;
	size_t count;
};

static int compare_steps(const void *left, const void *right)
{
	const struct step *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns > b->time_ns ? 1 : -1;
	return (a->by > b->by) - (a->by < b->by); /* ends before begins */
}

static struct steps make_steps(const struct lives *lives)
{
	struct steps steps = {memory_allocate(2 * lives->count + 1, sizeof *steps.rows), 0};
	int64_t alive = 0;

	for (size_t i = 0; i < lives->count; i++) {
		const struct life *life = &lives->rows[i];

		int64_t threads = life->threads < UINT32_MAX ? (int64_t)life->threads : UINT32_MAX;

		steps.rows[steps.count++] = (struct step){life->begin_ns, threads, 0, 0};
		steps.rows[steps.count++] = (struct step){life->end_ns, -threads, 0, 0};
	}
	qsort(steps.rows, steps.count, sizeof *steps.rows, compare_steps);
	for (size_t i = 0; i < steps.count; i++) {
		struct step *step = &steps.rows[i];

		if (i)
			step->shared_ns = step[-1].shared_ns +
					  (alive > 1 ? step->time_ns - step[-1].time_ns : 0);
		alive += step->by;
		step->alive = alive;
	}
	return steps;
}

/* Time with two or more alive before an instant, which must be that of a step. */
static double shared_before(const struct steps *steps, double time_ns)
{
	size_t low = 0, high = steps->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (steps->rows[middle].time_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low < steps->count ? steps->rows[low].shared_ns : 0;
}

/* Time that it shares with others, less the part in which it waited for a processor: as much of it
 * as of the whole life. */
static double shared_of(const struct steps *steps, const struct life *life)
{
	double shared =
		shared_before(steps, life->end_ns) - shared_before(steps, life->begin_ns);

	return shared * (1 - life->ready_ns / (life->end_ns - life->begin_ns));
}

void lives_drop_joining(struct lives *lives)
{
	struct steps steps = make_steps(lives);
	size_t kept = 0;

	for (size_t i = 0; i < lives->count; i++) {
		const struct life *life = &lives->rows[i];

		if (!(life->joining_ns > 0) ||
		    100 * life->joining_ns < JOINING_PERCENT * shared_of(&steps, life))
			lives->rows[kept++] = *life;
	}
	lives->count = kept;
	free(steps.rows);
}

double lives_shared_ns(const struct lives *lives)
{
	struct steps steps = make_steps(lives);
	double shared_ns = steps.count ? steps.rows[steps.count - 1].shared_ns : 0;

	free(steps.rows);
	return shared_ns;
}

/* The largest first. */
static int compare_numbers(const void *left, const void *right)
{
	const struct step *a = left, *b = right;

	return (a->alive < b->alive) - (a->alive > b->alive);
}

/* The time of each step is replaced by its duration. The number alive is not used as a size or
 * index: a damaged profile may have any. */
double lives_most(const struct lives *lives, double least_ns)
{
	struct steps steps = make_steps(lives);
	double sum = 0, most = 1;

	for (size_t i = 0; i < steps.count; i++)
		steps.rows[i].time_ns =
			i + 1 < steps.count ? steps.rows[i + 1].time_ns - steps.rows[i].time_ns : 0;
	qsort(steps.rows, steps.count, sizeof *steps.rows, compare_numbers);
	for (size_t i = 0; i < steps.count && steps.rows[i].alive > 1; i++) {
		sum += steps.rows[i].time_ns;
		if (!(sum > 0 && sum >= least_ns))
			continue;
		most = (double)steps.rows[i].alive;
		break;
	}
	free(steps.rows);
	return most;
}
