/* SPDX-License-Identifier: MIT */
/* A gas in a box, in cells: two MPI ranks with two OpenMP threads each, on two processors. The gas
 * is dense at one end, so that one rank has several times the particles of the other although both
 * have as many cells. The one with fewer waits in a collective call, polling. Innocent: threads of a
 * rank have equal shares, walls that are hit are summed up in a critical section once a region, and
 * each rank has a thread that looks at a clock. Fewer threads would help nobody.
 *
 * cause: the cells of one rank have most of the particles
 * finding: rank-imbalance
 * place: rank 1
 * launch: OMP_NUM_THREADS=2 mpirun.openmpi -n 2 --bind-to none
 * build: mpi openmp
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CELLS = 1200, STEPS = 20, THIN = 30, DENSE = 180, MOST = 400 };

struct cell {
	int count;
	int32_t place[MOST], speed[MOST];
};

static struct cell *cells;
static int rank, ranks;
static long long wall_hits;
static atomic_long clock_looks;

static int particles_of(int cell)
{
	return cell < CELLS / 2 ? THIN : DENSE;
}

static void fill_cell(struct cell *cell, int number)
{
	uint32_t state = (uint32_t)number * 2654435761u + 1;

	cell->count = particles_of(number);
	for (int i = 0; i < cell->count; i++) {
		state = state * 1664525u + 1013904223u;
		cell->place[i] = (int32_t)(state >> 16);
		state = state * 1664525u + 1013904223u;
		cell->speed[i] = (int32_t)(state >> 20) - 2048;
	}
}

static void fill_box(void)
{
	cells = malloc(CELLS * sizeof *cells);
	for (int i = 0; i < CELLS; i++)
		fill_cell(&cells[i], i);
}

/* Cells in a row, or dealt out like cards. */
static int cell_of(int number, bool dealt)
{
	return dealt ? number * ranks + rank : CELLS / ranks * rank + number;
}

static int32_t push(const struct cell *cell, int particle, int32_t pressure)
{
	int32_t force = pressure;

	for (int other = 0; other < cell->count; other++) {
		int32_t distance = cell->place[particle] - cell->place[other];
		force += distance > 0 ? (65536 - distance) >> 12 : -((65536 + distance) >> 12);
	}
	return force;
}

static long move_cell(struct cell *cell, int32_t pressure)
{
	long hits = 0;

	for (int round = 0; round < 2; round++)
		for (int i = 0; i < cell->count; i++) {
			cell->speed[i] += push(cell, i, pressure) / 64;
			cell->place[i] += cell->speed[i] / 16;
			if (cell->place[i] >= 0 && cell->place[i] < 65536)
				continue;
			cell->place[i] &= 65535;
			cell->speed[i] = -cell->speed[i] / 2;
			hits++;
		}
	return hits;
}

static long move_cells(int32_t pressure, bool dealt)
{
	long hits = 0;

#pragma omp parallel
	{
		long own = 0;
#pragma omp for schedule(static) nowait
		for (int i = 0; i < CELLS / ranks; i++)
			own += move_cell(&cells[cell_of(i, dealt)], pressure);
#pragma omp critical(hits)
		hits += own;
	}
	return hits;
}

static int32_t agree_on_pressure(long hits)
{
	long all;

	MPI_Allreduce(&hits, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	wall_hits += all;
	return (int32_t)(all % 64);
}

static void *look_at_clock(void *unused)
{
	struct timespec pause = {.tv_nsec = 100000000};

	while (!nanosleep(&pause, NULL))
		atomic_fetch_add(&clock_looks, 1);
	return unused;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	int32_t pressure = 0;
	pthread_t clock;
	int given;

	MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	pthread_create(&clock, NULL, look_at_clock, NULL);
	fill_box();
	for (int step = 0; step < STEPS; step++)
		pressure = agree_on_pressure(move_cells(pressure, fixed));
	if (rank == 0)
		printf("%lld\n", wall_hits);
	MPI_Finalize();
	return 0;
}
