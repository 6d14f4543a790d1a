/* SPDX-License-Identifier: MIT */
/* Waves on water, in slabs of rows. To move a slab a rank needs the rows of its neighbour next to
 * it; but it gets all slabs of all ranks in each step, by an all-to-all of whole fields, and takes
 * two rows from what came. Innocent: energy is summed up every 20 steps, the wind is broadcast at
 * the start, and a thread that listens for a change of the wind waits.
 *
 * cause: whole slabs are exchanged in each step where edges would do
 * finding: communication mpi-site
 * place: MPI_Alltoall|gather_slabs
 * launch: mpirun.openmpi -n 2
 * build: mpi
 */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 512, COLUMNS = 1024, STEPS = 400, WINDS = 16 };

typedef float row_of_water[COLUMNS];

static row_of_water *height, *speed, *sent, *all;
static int rank, ranks, rows;
static float wind[WINDS];
static pthread_mutex_t wind_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wind_changed = PTHREAD_COND_INITIALIZER;
static bool closed;

static void fill_basin(void)
{
	rows = ROWS / ranks;
	height = calloc((size_t)rows + 2, sizeof *height);
	speed = calloc((size_t)rows + 2, sizeof *speed);
	sent = calloc(2 * ROWS, sizeof *sent);
	all = calloc(2 * ROWS, sizeof *all);
	for (int row = 1; row <= rows; row++)
		for (int column = 0; column < COLUMNS; column++)
			height[row][column] = (float)((rank * rows + row) * 13 % 37 + column % 11);
}

static void ask_for_wind(void)
{
	for (int i = 0; rank == 0 && i < WINDS; i++)
		wind[i] = 0.01f * (float)(i % 5);
	MPI_Bcast(wind, WINDS, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

/* Each rank gets the slabs of all, heights and speeds, in the order of the ranks. */
static void gather_slabs(void)
{
	int values = 2 * rows * COLUMNS;

	for (int to = 0; to < ranks; to++) {
		memcpy(sent[2 * to * rows], height[1], (size_t)rows * sizeof *height);
		memcpy(sent[(2 * to + 1) * rows], speed[1], (size_t)rows * sizeof *speed);
	}
	MPI_Alltoall(sent, values, MPI_FLOAT, all, values, MPI_FLOAT, MPI_COMM_WORLD);
}

static void take_edges(int above, int below)
{
	memcpy(height[0], all[2 * above * rows + rows - 1], sizeof *height);
	memcpy(height[rows + 1], all[2 * below * rows], sizeof *height);
}

static void exchange_edges(int above, int below)
{
	MPI_Sendrecv(height[rows], COLUMNS, MPI_FLOAT, below, 1, height[0], COLUMNS, MPI_FLOAT,
		     above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(height[1], COLUMNS, MPI_FLOAT, above, 2, height[rows + 1], COLUMNS, MPI_FLOAT,
		     below, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void find_edges(bool edges_only)
{
	int above = (rank + ranks - 1) % ranks, below = (rank + 1) % ranks;

	if (edges_only) {
		exchange_edges(above, below);
		return;
	}
	gather_slabs();
	take_edges(above, below);
}

static void accelerate_row(int row, float push)
{
	const float *above = height[row - 1], *here = height[row], *below = height[row + 1];
	float *to = speed[row];

	for (int i = 1; i < COLUMNS - 1; i++) {
		float change = above[i] + below[i] + here[i - 1] + here[i + 1] - 4 * here[i];
		to[i] = (to[i] + 0.1f * change + push) * 0.999f;
	}
}

static void move_water(int step)
{
	for (int row = 1; row <= rows; row++)
		accelerate_row(row, wind[step % WINDS]);
	for (int row = 1; row <= rows; row++)
		for (int i = 0; i < COLUMNS; i++)
			height[row][i] += 0.1f * speed[row][i];
}

static long long energy(void)
{
	long long sum = 0, total;

	for (int row = 1; row <= rows; row++)
		for (int i = 0; i < COLUMNS; i++)
			sum += (long long)(speed[row][i] * speed[row][i] * 1000);
	MPI_Allreduce(&sum, &total, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
	return total;
}

static void *listen_for_wind(void *unused)
{
	pthread_mutex_lock(&wind_mutex);
	while (!closed)
		pthread_cond_wait(&wind_changed, &wind_mutex);
	pthread_mutex_unlock(&wind_mutex);
	return unused;
}

static void close_station(pthread_t listener)
{
	pthread_mutex_lock(&wind_mutex);
	closed = true;
	pthread_cond_signal(&wind_changed);
	pthread_mutex_unlock(&wind_mutex);
	pthread_join(listener, NULL);
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	long long sum = 0;
	pthread_t listener;

	MPI_Init(&count, &arguments);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	pthread_create(&listener, NULL, listen_for_wind, NULL);
	fill_basin();
	ask_for_wind();
	for (int step = 0; step < STEPS; step++) {
		find_edges(fixed);
		move_water(step);
		if (step % 20 == 19)
			sum = sum * 3 + energy();
	}
	close_station(listener);
	if (rank == 0)
		printf("%lld\n", sum);
	MPI_Finalize();
	return 0;
}
