/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/mpi/mpi_collectives.h"

#include "analyze/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* If more than this share of the time lost is inferred, the figure is an estimate. */
#define INFERRED_SHARE_MAX 0.01

/* ---- one occurrence */

struct loss {
	double by_last, by_root;
	double inferred; /* the part of by_last that is not certain */
};

/* For how long did a rank that was in the call from `enter` to `leave` wait for the last one? A
 * rank that left before that one entered did not wait for it: a call that moves no data need not
 * synchronize. Between the clocks of two hosts that is uncertain, but no rank waits longer than it
 * is in the call. */
static double until_last(const struct mpi_occurrence *row, double enter, double leave,
			 bool has_one_clock)
{
	if (leave >= row->latest_enter)
		return row->latest_enter - enter;
	return has_one_clock ? 0 : fmax(0, leave - enter);
}

static bool has_root(const struct mpi_occurrence *row)
{
	return row->root.rank != MPI_NO_RANK;
}

/* Adds a rank that need not wait for all others. */
static void add_moment(struct loss *loss, const struct mpi_occurrence *row,
		       const struct mpi_moment *moment, enum mpi_rooting rooting)
{
	double until_root = 0;

	if (rooting == MPI_ALL_FOR_ROOT && has_root(row))
		until_root = fmax(0, fmin(row->root_enter, moment->leave) - moment->enter);
	loss->by_root += until_root;
	if (moment->leave < row->latest_enter)
		return;
	double rest = row->latest_enter - moment->enter - until_root;

	loss->by_last += rest;
	loss->inferred += rest;
}

static void scale(struct loss *loss, double factor)
{
	loss->by_last *= factor;
	loss->by_root *= factor;
	loss->inferred *= factor;
}

/* Nobody left before the last one had entered, so the sums suffice and no single instants are
 * needed. */
static bool is_sure(const struct mpi_occurrence *row)
{
	return mpi_rooting_of(row->call) == MPI_ALL_FOR_ALL &&
	       row->earliest_leave >= row->latest_enter;
}

/* A call in which all wait for all. If one rank did not wait, the others need not have waited
 * either. */
static struct loss loss_of_all(const struct mpi_occurrence *row, bool has_one_clock)
{
	struct loss loss = {0};

	if (is_sure(row) || !row->moment_count) {
		loss.by_last = (double)row->ranks * row->latest_enter - row->sum_enter;
		return loss;
	}
	for (size_t i = 0; i < row->moment_count; i++)
		loss.by_last += until_last(row, row->moments[i].enter, row->moments[i].leave,
					   has_one_clock);
	loss.inferred = loss.by_last;
	scale(&loss, (double)row->ranks / (double)row->moment_count);
	return loss;
}

static struct loss loss_in(const struct mpi_occurrence *row, bool has_one_clock)
{
	enum mpi_rooting rooting = mpi_rooting_of(row->call);
	bool is_root_apart = rooting == MPI_ROOT_FOR_ALL && has_root(row);
	struct loss loss = {0};
	size_t judged = 0;

	if (rooting == MPI_ALL_FOR_ALL)
		return loss_of_all(row, has_one_clock);
	for (size_t i = 0; i < row->moment_count; i++) {
		if (is_root_apart && row->moments[i].rank == row->root.rank)
			continue;
		add_moment(&loss, row, &row->moments[i], rooting);
		judged++;
	}
	if (judged)
		scale(&loss, (double)(row->ranks - is_root_apart) / (double)judged);
	if (is_root_apart)
		loss.by_last += until_last(row, row->root_enter, row->root_leave, has_one_clock);
	return loss;
}

/* ---- rows */

/* A row while it is built; `late` still has an entry for each occurrence. */
struct work {
	struct mpi_collective row;
	double inferred_ns;
	bool is_thinned;
};

static void charge(struct mpi_collective *row, const struct mpi_caller *late, double lost_ns)
{
	if (lost_ns <= 0)
		return;
	row->late[row->late_count++] = (struct mpi_late){*late, lost_ns};
	row->lost_ns += lost_ns;
}

static void judge(struct work *work, const struct mpi_occurrence *occurrence, bool has_one_clock)
{
	if (occurrence->ranks != occurrence->size)
		return;
	struct loss loss = loss_in(occurrence, has_one_clock);

	work->row.recorded++;
	work->inferred_ns += loss.inferred;
	work->is_thinned |= occurrence->moment_stride > 1 && !is_sure(occurrence);
	charge(&work->row, &occurrence->last, loss.by_last);
	charge(&work->row, &occurrence->root, loss.by_root);
}

static int compare_place(const struct names *names, const struct mpi_late *a,
			 const struct mpi_late *b)
{
	if (a->rank != b->rank)
		return a->rank > b->rank ? 1 : -1;
	if (a->routine != b->routine)
		return names_compare(names, a->routine, b->routine);
	return (a->line > b->line) - (a->line < b->line);
}

static int compare_late_places(const void *left, const void *right, void *names)
{
	return compare_place(names, left, right);
}

static int compare_late(const void *left, const void *right, void *names)
{
	const struct mpi_late *a = left, *b = right;

	if (a->lost_ns != b->lost_ns)
		return a->lost_ns > b->lost_ns ? -1 : 1;
	return compare_place(names, a, b);
}

static void unite_late(struct mpi_collective *row, struct names *names)
{
	size_t last = 0;

	if (!row->late_count)
		return;
	qsort_r(row->late, row->late_count, sizeof *row->late, compare_late_places, names);
	for (size_t i = 1; i < row->late_count; i++)
		if (!compare_place(names, &row->late[last], &row->late[i]))
			row->late[last].lost_ns += row->late[i].lost_ns;
		else
			row->late[++last] = row->late[i];
	row->late_count = last + 1;
	qsort_r(row->late, row->late_count, sizeof *row->late, compare_late, names);
}

static const struct mpi_call_count *count_of(const struct mpi_occurrences *all, const char *call,
					     uint64_t size)
{
	static const struct mpi_call_count none;

	for (size_t i = 0; i < all->count_count; i++)
		if (all->counts[i].call == call && all->counts[i].size == size)
			return &all->counts[i];
	return &none;
}

/* Rounded up. A damaged profile may have communicators without members. */
static uint64_t calls_of_each(uint64_t calls, uint64_t members)
{
	return members ? calls / members + (calls % members != 0) : 0;
}

/* calls / judged, limited by the time that ranks spent in the calls. */
static double factor_of(const struct mpi_collective *row, const struct mpi_call_count *count)
{
	double factor = row->recorded ? (double)row->count / (double)row->recorded : 0;

	return factor > 1 && count->ns > 0 && row->lost_ns > 0
		       ? fmax(1, fmin(factor, count->ns / row->lost_ns))
		       : factor;
}

static struct mpi_collective finish_row(struct work *work, const struct mpi_occurrences *all,
					size_t occurrences)
{
	struct mpi_collective *row = &work->row;

	const struct mpi_call_count *count = count_of(all, row->call, row->size);
	row->count = calls_of_each(count->calls, row->size);
	if (row->count < occurrences)
		row->count = occurrences;
	if (row->recorded < row->count || all->host_count > 1 || work->is_thinned ||
	    work->inferred_ns > INFERRED_SHARE_MAX * row->lost_ns)
		row->grade = row->recorded ? GRADE_ESTIMATED : GRADE_UNKNOWN;
	double factor = factor_of(row, count);

	row->lost_ns *= factor;
	for (size_t i = 0; i < row->late_count; i++)
		row->late[i].lost_ns *= factor;
	unite_late(row, all->names);
	return *row;
}

static int compare_occurrences(const void *left, const void *right)
{
	const struct mpi_occurrence *a = *(struct mpi_occurrence *const *)left;
	const struct mpi_occurrence *b = *(struct mpi_occurrence *const *)right;
	int order = strcmp(a->call, b->call);

	return order ? order : (a->size > b->size) - (a->size < b->size);
}

static struct mpi_collective make_row(const struct mpi_occurrences *all, size_t first, size_t end)
{
	struct work work = {
		.row = {.call = all->all[first]->call,
			.size = all->all[first]->size,
			/* the last and the root of each */
			.late = memory_allocate(2 * (end - first), sizeof *work.row.late)}};

	for (size_t i = first; i < end; i++)
		judge(&work, all->all[i], all->host_count <= 1);
	return finish_row(&work, all, end - first);
}

/* Adds calls of which the regular sample happened to contain none. */
static void add_unrecorded(struct mpi_collectives *made, const struct mpi_occurrences *all)
{
	size_t recorded = made->count;

	for (size_t c = 0; c < all->count_count; c++) {
		const struct mpi_call_count *count = &all->counts[c];
		bool is_there = mpi_rooting_of(count->call) == MPI_UNROOTED;

		for (size_t i = 0; i < recorded && !is_there; i++)
			is_there = made->rows[i].call == count->call &&
				   made->rows[i].size == count->size;
		if (!is_there)
			made->rows[made->count++] = (struct mpi_collective){
				.call = count->call,
				.size = count->size,
				.count = calls_of_each(count->calls, count->size),
				.grade = GRADE_UNKNOWN,
			};
	}
}

static int compare_rows(const void *left, const void *right)
{
	const struct mpi_collective *a = left, *b = right;

	if (a->lost_ns != b->lost_ns)
		return a->lost_ns > b->lost_ns ? -1 : 1;
	int order = strcmp(a->call, b->call);

	return order ? order : (a->size > b->size) - (a->size < b->size);
}

static struct mpi_collectives make_rows(const struct mpi_occurrences *all)
{
	struct mpi_collectives made = {
		.rows = memory_allocate(all->count + all->count_count + 1, sizeof *made.rows)};

	for (size_t first = 0, end; first < all->count; first = end) {
		for (end = first + 1; end < all->count; end++)
			if (compare_occurrences(&all->all[first], &all->all[end]))
				break;
		made.rows[made.count++] = make_row(all, first, end);
	}
	add_unrecorded(&made, all);
	if (made.count)
		qsort(made.rows, made.count, sizeof *made.rows, compare_rows);
	return made;
}

struct mpi_collectives mpi_collectives_of(struct mpi_occurrences *accumulator)
{
	if (accumulator->count)
		qsort(accumulator->all, accumulator->count, sizeof *accumulator->all,
		      compare_occurrences);
	struct mpi_collectives made = make_rows(accumulator);

	mpi_occurrences_clear(accumulator);
	return made;
}

void mpi_collectives_clear(struct mpi_collectives *collectives)
{
	for (size_t i = 0; i < collectives->count; i++)
		free(collectives->rows[i].late);
	free(collectives->rows);
	*collectives = (struct mpi_collectives){0};
}
