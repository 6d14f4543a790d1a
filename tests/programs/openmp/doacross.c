/* SPDX-License-Identifier: MIT */
/* Loops whose iterations wait for earlier ones (doacross): a chain, and a wavefront in two
 * dimensions, signed and unsigned long long, static and dynamic. Known: the results, which are
 * right in one order only, and how many posts and waits there are. */
#include "omp_truth.h"

enum { LENGTH = 60, ROWS = 12, COLUMNS = 10, EXECUTIONS = 3 };
static const double iteration_seconds = 20e-6;
static const unsigned long long far = 1ull << 63;
static volatile long long line[LENGTH], field[ROWS][COLUMNS];

static inline void follow(int i)
{
	line[i] = i ? line[i - 1] + 1 : 1;
	burn(iteration_seconds);
}

static void check_line(const char *name)
{
	for (int i = 0; i < LENGTH; i++)
		check(line[i] == i + 1, name);
	for (int i = 0; i < LENGTH; i++)
		line[i] = -1000;
}

static NOINLINE void chain_static(void)
{
	struct region_run run = REGION();
#pragma omp parallel for ordered(1) schedule(static, 1)
	for (int i = 0; i < LENGTH; i++) {
		burn(iteration_seconds);
#pragma omp ordered depend(sink : i - 1)
		follow(i);
#pragma omp ordered depend(source)
	}
	region_end(&run);
	check_line("a static chain");
	KEEP;
}

static NOINLINE void chain_dynamic(void)
{
	struct region_run run = REGION();
#pragma omp parallel for ordered(1) schedule(dynamic)
	for (long i = 0; i < LENGTH; i++) {
		burn(iteration_seconds);
#pragma omp ordered depend(sink : i - 1)
		follow((int)i);
#pragma omp ordered depend(source)
	}
	region_end(&run);
	check_line("a dynamic chain");
	KEEP;
}

/* Beyond the signed numbers. */
static NOINLINE void chain_huge(void)
{
	struct region_run run = REGION();
#pragma omp parallel for ordered(1) schedule(guided)
	for (unsigned long long i = far; i < far + LENGTH; i++) {
		burn(iteration_seconds);
#pragma omp ordered depend(sink : i - 1)
		follow((int)(i - far));
#pragma omp ordered depend(source)
	}
	region_end(&run);
	check_line("an unsigned chain");
	KEEP;
}

static void fill(int row, int column)
{
	long long left = column ? field[row][column - 1] : 1,
		  above = row ? field[row - 1][column] : 1;
	field[row][column] = left + above;
	burn(iteration_seconds);
}

static void check_field(void)
{
	long long expected[ROWS][COLUMNS];

	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++) {
			expected[i][j] =
				(j ? expected[i][j - 1] : 1) + (i ? expected[i - 1][j] : 1);
			check(field[i][j] == expected[i][j], "a wavefront");
			field[i][j] = -1;
		}
}

/* Each point needs its left one and the one above; both waits are one construct. */
static NOINLINE void wavefront(void)
{
	struct region_run run = REGION();
#pragma omp parallel for ordered(2) schedule(static, 1)
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++) {
#pragma omp ordered depend(sink : i, j - 1) depend(sink : i - 1, j)
			fill(i, j);
#pragma omp ordered depend(source)
		}
	region_end(&run);
	check_field();
	KEEP;
}

int main(void)
{
	for (int i = 0; i < EXECUTIONS; i++) {
		chain_static();
		chain_dynamic();
		chain_huge();
		wavefront();
	}
	counted("doacross_post", EXECUTIONS * (3 * LENGTH + ROWS * COLUMNS));
	/* The first iteration's wait is for none; a compiler may leave it out. */
	truth("doacross_wait_most", EXECUTIONS * (3 * LENGTH + 2 * ROWS * COLUMNS));
	truth("doacross_wait_least", EXECUTIONS * (3 * (LENGTH - 1) + ROWS * COLUMNS - 1));
	truth("iteration_seconds", iteration_seconds);
	return end();
}
