/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi_collectives.h"

#include "analyze/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool begins_with(const char *text, const char *stem)
{
	return !strncmp(text, stem, strlen(stem));
}

static bool is_one_of(const char *call, const char *const *stems)
{
	for (; *stems; stems++)
		if (begins_with(call, *stems))
			return true;
	return false;
}

static bool is_all_to_all(const char *call)
{
	static const char *const stems[] = {"MPI_Barrier", "MPI_All", "MPI_Reduce_scatter", NULL};

	return is_one_of(call, stems);
}

static bool is_to_root(const char *call)
{
	static const char *const stems[] = {"MPI_Reduce", "MPI_Gather", NULL};

	return is_one_of(call, stems) && !is_all_to_all(call);
}

/* MPI_Ibcast, but not MPI_Init and the like, which are not among the collectives. */
static bool is_nonblocking(const char *call)
{
	return begins_with(call, "MPI_I") && islower((unsigned char)call[5]);
}

static double lost_in(const struct mpi_occurrence *row)
{
	double latest = row->latest_enter;

	if (row->first_leave >= latest || is_all_to_all(row->call))
		return (double)row->ranks * latest - row->sum_enter;
	if (!is_to_root(row->call))
		return 0;
	double until = latest < row->last_leave ? latest : row->last_leave;

	return until > row->last_leaver_enter ? until - row->last_leaver_enter : 0;
}

/* By call and size, then by the late rank and its place, so that equal ones stand together. */
static int compare_occurrences(const void *left, const void *right)
{
	const struct mpi_occurrence *a = *(struct mpi_occurrence *const *)left;
	const struct mpi_occurrence *b = *(struct mpi_occurrence *const *)right;
	int order = strcmp(a->call, b->call);

	if (order)
		return order;
	if (a->size != b->size)
		return a->size > b->size ? 1 : -1;
	if (a->late_rank != b->late_rank)
		return a->late_rank > b->late_rank ? 1 : -1;
	if (a->late_routine != b->late_routine)
		return a->late_routine > b->late_routine ? 1 : -1;
	return (a->late_line > b->late_line) - (a->late_line < b->late_line);
}

static int compare_late(const void *left, const void *right)
{
	const struct mpi_late *a = left, *b = right;

	if (a->lost_ns != b->lost_ns)
		return a->lost_ns > b->lost_ns ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static int compare_rows(const void *left, const void *right)
{
	const struct mpi_collective *a = left, *b = right;

	if (a->lost_ns != b->lost_ns)
		return a->lost_ns > b->lost_ns ? -1 : 1;
	int order = strcmp(a->call, b->call);

	return order ? order : (a->size > b->size) - (a->size < b->size);
}

static void charge_late(struct mpi_collective *row, const struct mpi_occurrence *occurrence,
			double lost_ns)
{
	struct mpi_late late = {occurrence->late_rank, occurrence->late_routine,
				occurrence->late_line, 0};
	struct mpi_late *last = row->late_count ? &row->late[row->late_count - 1] : NULL;

	if (!last || last->rank != late.rank || last->routine != late.routine ||
	    last->line != late.line) {
		last = &row->late[row->late_count++];
		*last = late;
	}
	last->lost_ns += lost_ns;
}

static void judge(struct mpi_collective *row, const struct mpi_occurrence *occurrence,
		  bool has_hosts)
{
	uint64_t stride = occurrence->stride ? occurrence->stride : 1;
	double lost_ns = lost_in(occurrence) * (double)stride;

	row->count += stride;
	if (occurrence->ranks != occurrence->size)
		return;
	row->recorded++;
	row->lost_ns += lost_ns;
	if (stride > 1 || has_hosts)
		row->grade = GRADE_ESTIMATED;
	if (lost_ns > 0)
		charge_late(row, occurrence, lost_ns);
}

static bool is_same_row(const struct mpi_collective *row, const struct mpi_occurrence *occurrence)
{
	return !strcmp(row->call, occurrence->call) && row->size == occurrence->size;
}

static struct mpi_collectives make_rows(struct mpi_occurrences *account)
{
	struct mpi_collectives made = {.rows = memory_allocate(account->count, sizeof *made.rows)};

	for (size_t i = 0; i < account->count; i++) {
		const struct mpi_occurrence *occurrence = account->all[i];
		struct mpi_collective *row = made.count ? &made.rows[made.count - 1] : NULL;

		if (is_nonblocking(occurrence->call))
			continue;
		if (!row || !is_same_row(row, occurrence)) {
			row = &made.rows[made.count++];
			row->call = occurrence->call;
			row->size = occurrence->size;
			row->late = memory_allocate(account->count - i, sizeof *row->late);
		}
		judge(row, occurrence, account->host_count > 1);
	}
	return made;
}

struct mpi_collectives mpi_collectives_of(struct mpi_occurrences *account)
{
	if (account->count)
		qsort(account->all, account->count, sizeof *account->all, compare_occurrences);
	struct mpi_collectives made = make_rows(account);

	for (size_t i = 0; i < made.count; i++)
		if (made.rows[i].late_count)
			qsort(made.rows[i].late, made.rows[i].late_count, sizeof *made.rows[i].late,
			      compare_late);
	if (made.count)
		qsort(made.rows, made.count, sizeof *made.rows, compare_rows);
	mpi_occurrences_clear(account);
	return made;
}

void mpi_collectives_clear(struct mpi_collectives *collectives)
{
	for (size_t i = 0; i < collectives->count; i++)
		free(collectives->rows[i].late);
	free(collectives->rows);
	*collectives = (struct mpi_collectives){0};
}
