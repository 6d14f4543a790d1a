/* SPDX-License-Identifier: MIT */
/* The example of docs/report.md for MPI: a plate in stripes, one for each rank, whose edges are
 * exchanged at each step. The last rank has half as many rows again as the others: it is late at
 * every MPI_Allreduce.
 *
 *     mpicc -g -O2 -o stripes stripes.c && mpirun -n 2 ptrace-run ./stripes 400
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 1024, ROWS = 256 };

static int rank, size;

/* New values from old ones; returns the largest change. */
static double relax(double (*new)[COLUMNS], double (*old)[COLUMNS], int rows)
{
	double change = 0;

	for (int y = 1; y <= rows; y++)
		for (int x = 1; x < COLUMNS - 1; x++) {
			new[y][x] = 0.25 *
				    (old[y - 1][x] + old[y + 1][x] + old[y][x - 1] + old[y][x + 1]);
			change = fmax(change, fabs(new[y][x] - old[y][x]));
		}
	return change;
}

static void exchange_edges(double (*plate)[COLUMNS], int rows)
{
	int above = rank ? rank - 1 : MPI_PROC_NULL;
	int below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;

	MPI_Sendrecv(plate[1], COLUMNS, MPI_DOUBLE, above, 0, plate[rows + 1], COLUMNS, MPI_DOUBLE,
		     below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(plate[rows], COLUMNS, MPI_DOUBLE, below, 1, plate[0], COLUMNS, MPI_DOUBLE,
		     above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double largest_change(double change)
{
	double largest;

	MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return largest;
}

int main(int count, char **words)
{
	MPI_Init(&count, &words);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);

	int steps = count > 1 ? atoi(words[1]) : 400;
	int rows = rank == size - 1 ? ROWS + ROWS / 2 : ROWS;
	double(*plate)[COLUMNS] = calloc(rows + 2, sizeof *plate);
	double(*other)[COLUMNS] = calloc(rows + 2, sizeof *other);
	double change = 0;

	for (int y = 0; y < rows + 2; y++)
		plate[y][0] = other[y][0] = 100;
	for (int step = 0; step < steps; step++) {
		double(*old)[COLUMNS] = step % 2 ? other : plate;

		exchange_edges(old, rows);
		change = largest_change(relax(step % 2 ? plate : other, old, rows));
	}
	if (!rank)
		printf("largest change after %d steps: %.6f\n", steps, change);
	free(plate);
	free(other);
	MPI_Finalize();
	return 0;
}
