/* SPDX-License-Identifier: MIT */
<<<<<<< HEAD
/* An example for docs/report.md: OpenMP regions that lose time in three ways. The rows of a triangle
 * grow, so that a static loop shares them out unevenly; a histogram is guarded by a critical
 * section; and the matrix is filled by one thread alone.
 *
 *   gcc -O2 -g -fopenmp -o triangle triangle.c -lm && ./triangle [ROWS] */
=======
/* The example of docs/report.md for OpenMP: forces between all pairs of bodies. The loop over i has
 * fewer pairs the larger i is, so that of equal shares of i the first is the most work; and all
 * threads add up the energy in one critical section.
 *
 *     gcc -g -O2 -fopenmp -o triangle triangle.c -lm && ptrace-run ./triangle 4000
 */
>>>>>>> openmp
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

<<<<<<< HEAD
enum { BINS = 16 };
static double *matrix;
static long histogram[BINS];

static void fill(int rows)
{
	for (long i = 0; i < (long)rows * rows; i++)
		matrix[i] = sin((double)i);
}

/* Row i has i + 1 numbers. */
static double sum_triangle(int rows)
{
	double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
	for (int i = 0; i < rows; i++)
		for (int j = 0; j <= i; j++)
			sum += exp(matrix[(long)i * rows + j]);
	return sum;
}

static void count_values(int rows)
{
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < rows; j += 8) {
			int bin = (int)((matrix[(long)i * rows + j] + 1) / 2 * (BINS - 1));
#pragma omp critical(bins)
			histogram[bin]++;
=======
struct body {
	double x, y, z, force;
};

static double energy;

static void place(struct body *bodies, int count)
{
	for (int i = 0; i < count; i++)
		bodies[i] = (struct body){drand48(), drand48(), drand48(), 0};
}

static double pull(struct body *a, const struct body *b)
{
	double x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
	double square = x * x + y * y + z * z + 1e-9;

	a->force += 1 / square;
	return 1 / sqrt(square);
}

static void all_pairs(struct body *bodies, int count)
{
#pragma omp parallel for
	for (int i = 0; i < count; i++)
		for (int j = i + 1; j < count; j++) {
			double part = pull(&bodies[i], &bodies[j]);
			if (j % 64 == 0) {
#pragma omp critical(total)
				energy += part;
			}
>>>>>>> openmp
		}
}

int main(int count, char **words)
{
<<<<<<< HEAD
	int rows = count > 1 ? atoi(words[1]) : 3000;
	double sum = 0;

	matrix = malloc(sizeof *matrix * (size_t)rows * (size_t)rows);
	if (!matrix)
		return 1;
	fill(rows);
	for (int step = 0; step < 5; step++)
		sum += sum_triangle(rows);
	count_values(rows);
	printf("%g, %ld in the middle\n", sum, histogram[BINS / 2]);
=======
	int bodies = count > 1 ? atoi(words[1]) : 4000;
	struct body *all = calloc(bodies, sizeof *all);

	place(all, bodies);
	for (int step = 0; step < 20; step++)
		all_pairs(all, bodies);
	printf("%g\n", energy);
>>>>>>> openmp
	return 0;
}
