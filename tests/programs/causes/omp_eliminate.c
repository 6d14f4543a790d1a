/* SPDX-License-Identifier: MIT */
/* Determinants of many small matrices, by elimination. The loop over the rows below each pivot is
 * parallel: a team is started and joined for a microsecond of work, for each column of each matrix.
 * Innocent: one thread makes the matrices, singular ones are noted in a critical section, and a
 * thread that would dump the state on a signal waits for one.
 *
 * cause: a parallel region around the innermost useful loop, instead of one around all matrices
 * finding: omp-short-regions
 * place: eliminate
 * launch: OMP_NUM_THREADS=2
 * build: openmp
 */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATRICES = 3500, SIZE = 64 };

struct matrix {
	double at[SIZE][SIZE];
};

static struct matrix *matrices;
static double logarithms[MATRICES];
static int singular;

static double next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) / 16777216.0 - 0.5;
}

static void make_matrix(struct matrix *matrix, uint32_t *state)
{
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++)
			matrix->at[i][j] = next_random(state);
	if (*state >> 25 == 0)
		memset(matrix->at[SIZE / 2], 0, sizeof matrix->at[0]);
}

static void make_matrices(void)
{
	uint32_t state = 314;

	matrices = malloc(MATRICES * sizeof *matrices);
	for (int i = 0; i < MATRICES; i++)
		make_matrix(&matrices[i], &state);
}

static void swap_rows(struct matrix *matrix, int a, int b)
{
	for (int j = 0; a != b && j < SIZE; j++) {
		double kept = matrix->at[a][j];
		matrix->at[a][j] = matrix->at[b][j];
		matrix->at[b][j] = kept;
	}
}

static bool choose_pivot(struct matrix *matrix, int column)
{
	int best = column;

	for (int row = column + 1; row < SIZE; row++)
		if (fabs(matrix->at[row][column]) > fabs(matrix->at[best][column]))
			best = row;
	swap_rows(matrix, column, best);
	return fabs(matrix->at[column][column]) > 1e-12;
}

static void subtract_row(struct matrix *matrix, int column, int row)
{
	double factor = matrix->at[row][column] / matrix->at[column][column];

	for (int j = column; j < SIZE; j++)
		matrix->at[row][j] -= factor * matrix->at[column][j];
}

static void eliminate_column(struct matrix *matrix, int column, bool by_team)
{
	if (by_team) {
#pragma omp parallel for schedule(static)
		for (int row = column + 1; row < SIZE; row++)
			subtract_row(matrix, column, row);
	} else {
		for (int row = column + 1; row < SIZE; row++)
			subtract_row(matrix, column, row);
	}
}

static double eliminate(struct matrix *matrix, bool by_team)
{
	double logarithm = 0;

	for (int column = 0; column < SIZE; column++) {
		if (!choose_pivot(matrix, column)) {
#pragma omp critical(singular)
			singular++;
			return 0;
		}
		logarithm += log(fabs(matrix->at[column][column]));
		eliminate_column(matrix, column, by_team);
	}
	return logarithm;
}

static void solve_all(bool matrices_at_once)
{
	if (matrices_at_once) {
#pragma omp parallel for schedule(dynamic, 16)
		for (int i = 0; i < MATRICES; i++)
			logarithms[i] = eliminate(&matrices[i], false);
	} else {
		for (int i = 0; i < MATRICES; i++)
			logarithms[i] = eliminate(&matrices[i], true);
	}
}

static void *dump_on_signal(void *wanted)
{
	int number;

	sigwait(wanted, &number);
	if (number == SIGUSR1)
		fprintf(stderr, "%d singular\n", singular);
	return NULL;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	pthread_t dumper;
	sigset_t wanted;
	double sum = 0;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGUSR1);
	sigaddset(&wanted, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &wanted, NULL);
	pthread_create(&dumper, NULL, dump_on_signal, &wanted);
	make_matrices();
	solve_all(fixed);
	pthread_kill(dumper, SIGUSR2);
	pthread_join(dumper, NULL);
	for (int i = 0; i < MATRICES; i++)
		sum += logarithms[i];
	printf("%.6f %d\n", sum, singular);
	return 0;
}
