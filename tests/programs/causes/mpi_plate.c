/* SPDX-License-Identifier: MIT */
/* Heat in a plate of several materials, whose rows are shared out to MPI ranks by a table of old
 * measurements: the second rank has seven times the rows of the first. Innocent: edges of one row
 * go to the neighbours in each step, the largest change is agreed on every tenth step, materials
 * are broadcast at the start, and each rank has a thread that would write checkpoints, and sleeps.
 *
 * cause: the second rank has seven times the rows of the first
 * finding: rank-imbalance
 * change: relax_row .*more evenly
 * place: rank 1
 * launch: mpirun.openmpi -n 2
 * build: mpi
 */
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 1000, COLUMNS = 1000, STEPS = 1100, MATERIALS = 4, SHARES = 8 };

struct part {
	int first, count;
	double (*now)[COLUMNS], (*next)[COLUMNS];
};

static int rank, ranks;
static double conduct[MATERIALS];
static atomic_long checkpoints;

static void read_materials(void)
{
	if (rank == 0)
		for (int i = 0; i < MATERIALS; i++)
			conduct[i] = 0.05 + 0.04 * i;
	MPI_Bcast(conduct, MATERIALS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static int first_row(int of, bool even)
{
	static const int measured[] = {0, 1, SHARES};

	return !even && ranks == 2 ? ROWS / SHARES * measured[of] : ROWS * of / ranks;
}

/* The rows first .. first + count - 1, in places 1 .. count; the neighbours' edges beside them. */
static void make_part(struct part *part, bool even)
{
	part->first = first_row(rank, even);
	part->count = first_row(rank + 1, even) - part->first;
	part->now = calloc((size_t)part->count + 2, sizeof *part->now);
	part->next = calloc((size_t)part->count + 2, sizeof *part->next);
	for (int row = 1; row <= part->count; row++)
		for (int column = 0; column < COLUMNS; column++)
			part->now[row][column] = (part->first + row) * 7 % 101 + column % 13;
}

static void exchange_edges(struct part *part)
{
	int above = rank ? rank - 1 : MPI_PROC_NULL;
	int below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;

	MPI_Sendrecv(part->now[1], COLUMNS, MPI_DOUBLE, above, 1, part->now[part->count + 1],
		     COLUMNS, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(part->now[part->count], COLUMNS, MPI_DOUBLE, below, 2, part->now[0], COLUMNS,
		     MPI_DOUBLE, above, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double relax_row(const double *above, const double *row, const double *below, double *next,
			double rate)
{
	double largest = 0;

	for (int i = 1; i < COLUMNS - 1; i++) {
		double change = above[i] + below[i] + row[i - 1] + row[i + 1] - 4 * row[i];
		next[i] = row[i] + rate * change;
		largest = fabs(change) > largest ? fabs(change) : largest;
	}
	next[0] = row[0];
	next[COLUMNS - 1] = row[COLUMNS - 1];
	return largest;
}

static double relax_part(struct part *part)
{
	double largest = 0, (*kept)[COLUMNS] = part->now;

	for (int row = 1; row <= part->count; row++) {
		double rate = conduct[(part->first + row) / 16 % MATERIALS];
		double change = relax_row(part->now[row - 1], part->now[row], part->now[row + 1],
					  part->next[row], rate);
		largest = change > largest ? change : largest;
	}
	part->now = part->next;
	part->next = kept;
	return largest;
}

static double agree_on_change(double largest)
{
	double all;

	MPI_Allreduce(&largest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return all;
}

static double solve(struct part *part)
{
	double change = 0;

	for (int step = 0; step < STEPS; step++) {
		exchange_edges(part);
		double largest = relax_part(part);
		if (step % 10 == 9)
			change = agree_on_change(largest);
	}
	return change;
}

static long long sum_part(const struct part *part)
{
	long long sum = 0, all = 0;

	for (int row = 1; row <= part->count; row++)
		for (int column = 0; column < COLUMNS; column++)
			sum += llround(part->now[row][column] * 1000);
	MPI_Reduce(&sum, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	return all;
}

static void *write_checkpoints(void *unused)
{
	struct timespec fifth = {.tv_nsec = 200000000};

	while (!nanosleep(&fifth, NULL))
		atomic_fetch_add(&checkpoints, 1);
	return unused;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	struct part part;
	pthread_t writer;

	MPI_Init(&count, &arguments);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	pthread_create(&writer, NULL, write_checkpoints, NULL);
	read_materials();
	make_part(&part, fixed);
	double change = solve(&part);
	long long sum = sum_part(&part);
	if (rank == 0)
		printf("%lld %.6f\n", sum, change);
	MPI_Finalize();
	return 0;
}
