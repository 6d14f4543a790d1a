/* SPDX-License-Identifier: MIT */
/* A game of life whose cells have ages, in two halves side by side: the columns at the border go to
 * the neighbour in each step. They are not contiguous, and go cell by cell, in messages of eight
 * bytes. Innocent: the number of cells that live is summed up every eighth step, the start is made
 * by each rank from the same seed, and a thread of each rank would draw the field, when asked.
 *
 * cause: each cell of the border is a message of its own
 * finding: small-messages
 * place: send_border|receive_border|exchange_borders
 * launch: mpirun.openmpi -n 2
 * build: mpi
 */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1600, COLUMNS = 40, STEPS = 600 };

/* Columns 1 .. COLUMNS are this rank's; 0 and COLUMNS + 1 are the neighbour's: the field is round.
 */
static uint64_t field[ROWS][COLUMNS + 2], next[ROWS][COLUMNS + 2];
static int rank, ranks;
static sem_t draw;

static void sow(void)
{
	uint64_t state = 5;

	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < ranks * COLUMNS; column++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			if (column / COLUMNS == rank)
				field[row][column % COLUMNS + 1] = state >> 62 == 0;
		}
}

static void send_border(int column, int to, int tag, bool at_once)
{
	uint64_t border[ROWS];

	for (int row = 0; row < ROWS; row++)
		if (at_once)
			border[row] = field[row][column];
		else
			MPI_Send(&field[row][column], 1, MPI_UINT64_T, to, tag, MPI_COMM_WORLD);
	if (at_once)
		MPI_Send(border, ROWS, MPI_UINT64_T, to, tag, MPI_COMM_WORLD);
}

static void receive_border(int column, int from, int tag, bool at_once)
{
	uint64_t border[ROWS];

	if (at_once)
		MPI_Recv(border, ROWS, MPI_UINT64_T, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int row = 0; row < ROWS; row++)
		if (at_once)
			field[row][column] = border[row];
		else
			MPI_Recv(&field[row][column], 1, MPI_UINT64_T, from, tag, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
}

/* To the right by tag 1, to the left by tag 2. Ranks of even number send first. */
static void exchange_borders(bool at_once)
{
	int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;

	for (int turn = 0; turn < 2; turn++)
		if (rank % 2 == turn) {
			send_border(COLUMNS, right, 1, at_once);
			send_border(1, left, 2, at_once);
		} else {
			receive_border(0, left, 1, at_once);
			receive_border(COLUMNS + 1, right, 2, at_once);
		}
}

static int neighbours(int row, int column)
{
	int above = (row + ROWS - 1) % ROWS, below = (row + 1) % ROWS, count = 0;

	for (int i = column - 1; i <= column + 1; i++)
		count += (field[above][i] != 0) + (field[row][i] != 0) + (field[below][i] != 0);
	return count - (field[row][column] != 0);
}

static void live(void)
{
	for (int row = 0; row < ROWS; row++)
		for (int column = 1; column <= COLUMNS; column++) {
			int near = neighbours(row, column);
			bool lives = near == 3 || (near == 2 && field[row][column]);
			next[row][column] = lives ? field[row][column] + 1 : 0;
		}
	memcpy(field, next, sizeof field);
}

static uint64_t sum_ages(void)
{
	uint64_t sum = 0, all;

	for (int row = 0; row < ROWS; row++)
		for (int column = 1; column <= COLUMNS; column++)
			sum += field[row][column];
	MPI_Allreduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

static void *draw_field(void *shown)
{
	sem_wait(&draw);
	*(uint64_t *)shown = field[0][1];
	return NULL;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	uint64_t ages = 0, shown;
	pthread_t drawer;

	MPI_Init(&count, &arguments);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	sem_init(&draw, 0, 0);
	pthread_create(&drawer, NULL, draw_field, &shown);
	sow();
	for (int step = 0; step < STEPS; step++) {
		exchange_borders(fixed);
		live();
		if (step % 8 == 7)
			ages = ages * 3 + sum_ages();
	}
	sem_post(&draw);
	pthread_join(drawer, NULL);
	if (rank == 0)
		printf("%llu\n", (unsigned long long)ages);
	MPI_Finalize();
	return 0;
}
