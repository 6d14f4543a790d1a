/* SPDX-License-Identifier: MIT */
/* An example for docs/report.md: OpenMP regions that lose time in three ways. The rows of a triangle
 * grow, so that a static loop shares them out unevenly; a histogram is guarded by a critical
 * section; and the matrix is filled by one thread alone.
 *
 *   gcc -O2 -g -fopenmp -o triangle triangle.c -lm && ./triangle [ROWS] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
		}
}

int main(int count, char **words)
{
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
	return 0;
}
