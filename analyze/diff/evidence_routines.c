/* SPDX-License-Identifier: MIT */
/* Routines that only one side has. */
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/diff/diff_test.h"
#include "analyze/diff/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLING_ERRORS 3 /* nine samples: to be in none by chance has a probability of 0.0001 */
#define REPLACED        0.5

static bool is_time_of_routine(const struct change *change, const char *metric)
{
	return change->figure->section == SECTION_ROUTINES &&
	       !strcmp(change->figure->metric, metric);
}

/* Median of the percentage of each run's CPU time. */
static double share_of(const struct changes *changes, const struct change *change, size_t side,
		       size_t runs)
{
	double *shares = memory_allocate(runs, sizeof *shares);

	for (size_t i = 0; i < runs; i++) {
		double cpu = changes->cpu->sides[side].values[i];

		shares[i] = cpu > 0 ? 100 * change->sides[side].values[i] / cpu : 0;
	}
	double median = diff_test_median(shares, runs);

	free(shares);
	return median;
}

/* Of all runs of the side, and of none of the other. */
static bool is_only_of(const struct change *change, size_t side, const struct side sides[2])
{
	return change->sides[side].present >= sides[side].count && !change->sides[!side].present;
}

static bool is_sampled(const struct change_side *side)
{
	return side->median >= SAMPLING_ERRORS * side->error;
}

/* Percentage of the CPU time that no sample stands for, of the run of the side that has the most:
 * a thread may get no timer. Any routine of that share may be hidden in it. */
static double hidden_share(const struct changes *changes, size_t side, size_t runs)
{
	const struct change *unsampled =
		changes_find(changes, SECTION_ROUTINES, "[unsampled]", "self");
	double most = 0;

	for (size_t i = 0; unsampled && i < runs; i++) {
		double cpu = changes->cpu->sides[side].values[i];

		if (cpu > 0)
			most = fmax(most, 100 * unsampled->sides[side].values[i] / cpu);
	}
	return most;
}

static void mark(struct changes *changes, struct change *change, size_t side,
		 const struct side sides[2])
{
	double share = share_of(changes, change, side, sides[side].count);

	if (!(share >= fmax(1, changes->threshold_percent)) ||
	    share <= hidden_share(changes, !side, sides[!side].count))
		return;
	change->evidence = side ? EVIDENCE_NEW : EVIDENCE_GONE;
	change->sides[side].share = share;
	change->sides[!side].share = 0;
}

/* ---- routines by name, and what call paths say of them */

struct routine_row {
	struct change *self, *total;    /* NULL: there is no such figure */
	bool is_caller[EVIDENCE_LIMIT]; /* of a routine that is such evidence */
	bool is_inner; /* another one that is the same kind of evidence, and larger, calls it */
	double below_ns[EVIDENCE_LIMIT]; /* of its own time: where it is called by such evidence */
};

struct routine_rows {
	struct keyed_table *index; /* number of a row by the routine's name */
	struct routine_row *rows;
	size_t count, capacity;
	size_t *path; /* numbers of the rows on the path at hand */
	size_t path_capacity;
};

static struct figure_name name_of(const char *routine)
{
	return (struct figure_name){SECTION_ROUTINES, routine, ""};
}

static void add_row(struct routine_rows *routines, struct change *change)
{
	const struct figure_name probe = name_of(change->figure->key);
	size_t number = keyed_table_number(routines->index, &probe);

	if (number == routines->count) {
		routines->rows = memory_grow(routines->rows, routines->count, &routines->capacity,
					     sizeof *routines->rows);
		routines->rows[routines->count++] = (struct routine_row){0};
	}
	if (is_time_of_routine(change, "self"))
		routines->rows[number].self = change;
	else
		routines->rows[number].total = change;
}

static struct routine_rows routine_rows_of(struct changes *changes)
{
	struct routine_rows routines = {.index = figures_create_index()};

	for (size_t i = 0; i < changes->count; i++)
		if (is_time_of_routine(&changes->rows[i], "self") ||
		    is_time_of_routine(&changes->rows[i], "total"))
			add_row(&routines, &changes->rows[i]);
	return routines;
}

static void routine_rows_clear(struct routine_rows *routines)
{
	keyed_table_destroy(routines->index);
	free(routines->rows);
	free(routines->path);
}

/* The next of the names "main > work > parse", cut out of the text; NULL: there is none. */
static char *next_name(char **rest)
{
	char *name = *rest, *end = name ? strstr(name, " > ") : NULL;

	*rest = end ? end + 3 : NULL;
	if (end)
		*end = '\0';
	return name;
}

static double size_of(const struct change *change)
{
	return fabs(change->difference);
}

/* Those before it on the path call it. */
static void mark_callers(struct routine_rows *routines, size_t depth, enum evidence evidence)
{
	for (size_t i = 0; i < depth; i++)
		routines->rows[routines->path[i]].is_caller[evidence] = true;
}

/* Adds the path's own time to the routine at its end. */
static void add_below(struct routine_rows *routines, size_t depth, const struct change *path,
		      const struct change *const callers[EVIDENCE_LIMIT])
{
	struct routine_row *leaf = &routines->rows[routines->path[depth - 1]];

	for (size_t side = 0; side < 2; side++) {
		enum evidence evidence = side ? EVIDENCE_NEW : EVIDENCE_GONE;

		if (callers[evidence] && callers[evidence] != leaf->total)
			leaf->below_ns[evidence] += path->sides[side].median;
	}
}

static void walk_path(struct routine_rows *routines, const struct change *change, char *path)
{
	const struct change *largest[EVIDENCE_LIMIT] = {NULL};
	size_t depth = 0;

	for (char *name; (name = next_name(&path));) {
		const struct figure_name probe = name_of(name);

		if (!keyed_table_find(routines->index, &probe))
			continue;
		size_t number = keyed_table_number(routines->index, &probe);
		struct routine_row *row = &routines->rows[number];
		enum evidence evidence = row->total ? row->total->evidence : EVIDENCE_NONE;
		const struct change *outer = largest[evidence];

		routines->path = memory_grow(routines->path, depth, &routines->path_capacity,
					     sizeof *routines->path);
		if (evidence) {
			mark_callers(routines, depth, evidence);
			row->is_inner |= outer && outer != row->total &&
					 size_of(outer) >= size_of(row->total);
			if (!outer || size_of(row->total) > size_of(outer))
				largest[evidence] = row->total;
		}
		routines->path[depth++] = number;
	}
	if (depth && !strcmp(change->figure->metric, "self"))
		add_below(routines, depth, change, largest);
}

static void walk_paths(struct routine_rows *routines, const struct changes *changes)
{
	for (size_t i = 0; i < changes->count; i++) {
		if (changes->rows[i].figure->section != SECTION_PATHS)
			continue;
		char *path = memory_copy_text(changes->rows[i].figure->key);

		walk_path(routines, &changes->rows[i], path);
		free(path);
	}
}

/* Of a chain of new routines the outermost is left. */
static void drop_inner(struct routine_rows *routines)
{
	for (size_t i = 0; i < routines->count; i++)
		if (routines->rows[i].is_inner)
			routines->rows[i].total->evidence = EVIDENCE_NONE;
}

/* ---- what they replaced */

static double time_of(const struct changes *changes, enum evidence evidence)
{
	double sum = 0;

	for (size_t i = 0; i < changes->count; i++)
		if (changes->rows[i].evidence == evidence)
			sum += fabs(changes->rows[i].difference);
	return sum;
}

/* How much less CPU time the callers of new routines took themselves: code that was moved out of
 * them, or is no longer inlined. The other way round for what is gone. */
static double time_of_callers(const struct routine_rows *routines, enum evidence evidence)
{
	int direction = evidence == EVIDENCE_NEW ? -1 : 1;
	double sum = 0;

	for (size_t i = 0; i < routines->count; i++) {
		const struct change *self = routines->rows[i].self;

		if (self && routines->rows[i].is_caller[evidence] && self->sides[0].present &&
		    self->sides[1].present)
			sum += fmax(0, direction * self->difference);
	}
	return sum;
}

/* What was called by others before: of the time below new routines, what the same routines take
 * less elsewhere. The other way round for what is gone. */
static double time_of_callees(const struct routine_rows *routines, enum evidence evidence)
{
	size_t side = evidence == EVIDENCE_NEW;
	double sum = 0;

	for (size_t i = 0; i < routines->count; i++) {
		const struct change *self = routines->rows[i].self;
		double below = routines->rows[i].below_ns[evidence];

		if (!self || !(below > 0))
			continue;
		double elsewhere = fmax(0, self->sides[side].median - below);

		sum += fmin(below, fmax(0, self->sides[!side].median - elsewhere));
	}
	return sum;
}

/* Routines that only the other side has, be they as large as the threshold or not. */
static double time_of_others(const struct changes *changes, enum evidence evidence,
			     const struct side sides[2])
{
	size_t other = evidence == EVIDENCE_NEW ? 0 : 1;
	double sum = 0;

	for (size_t i = 0; i < changes->count; i++)
		if (is_time_of_routine(&changes->rows[i], "self") &&
		    is_only_of(&changes->rows[i], other, sides))
			sum += changes->rows[i].sides[other].median;
	return sum;
}

static void find_replaced(struct changes *changes, const struct routine_rows *routines,
			  enum evidence evidence, const struct side sides[2])
{
	double all = time_of(changes, evidence);

	if (!(all > 0))
		return;
	double moved = time_of_others(changes, evidence, sides) +
		       time_of_callers(routines, evidence) + time_of_callees(routines, evidence);
	bool is_replaced = moved >= REPLACED * all;

	for (size_t i = 0; i < changes->count; i++)
		if (changes->rows[i].evidence == evidence)
			changes->rows[i].is_replaced = is_replaced;
}

void evidence_find_routines(struct changes *changes, const struct side sides[2])
{
	for (size_t i = 0; i < changes->count; i++) {
		struct change *change = &changes->rows[i];

		for (size_t side = 0; side < 2; side++)
			if (is_time_of_routine(change, "total") &&
			    is_only_of(change, side, sides) && is_sampled(&change->sides[side]))
				mark(changes, change, side, sides);
	}
	struct routine_rows routines = routine_rows_of(changes);

	walk_paths(&routines, changes);
	drop_inner(&routines);
	find_replaced(changes, &routines, EVIDENCE_NEW, sides);
	find_replaced(changes, &routines, EVIDENCE_GONE, sides);
	routine_rows_clear(&routines);
}
