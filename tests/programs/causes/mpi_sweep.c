/* SPDX-License-Identifier: MIT */
/* A sweep over a reactor in slices: what light goes through a slice depends on what came through
 * the ones before, and so the ranks pass it on in a ring. But how much a slice absorbs does not
 * depend on that: each rank finds it out only when the light has come, while the next one waits for
 * a blocking message. Innocent: all ranks have the same work, the light that is left is broadcast
 * after each sweep, and a thread of each rank watches a limit, every 100 ms.
 *
 * cause: ranks compute one after the other, each when the message of the one before has come
 * finding: late-sender
 * place: receive_light|sweep|pass_light
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

enum { ANGLES = 256, CELLS = 300, SWEEPS = 450 };

static double density[CELLS], absorbed[ANGLES], light[ANGLES];
static int rank, ranks;
static atomic_int alarms;

static void fill_slice(void)
{
	for (int cell = 0; cell < CELLS; cell++)
		density[cell] = 0.0001 * ((rank * CELLS + cell) * 17 % 29 + 1);
}

static double path_through(int cell, int angle, double heat)
{
	double slope = (angle + 1.0) / ANGLES;

	return density[cell] * sqrt(1 + slope * slope + 0.01 * heat);
}

static void find_absorption(double heat)
{
	for (int angle = 0; angle < ANGLES; angle++) {
		double sum = 0;
		for (int cell = 0; cell < CELLS; cell++)
			sum += path_through(cell, angle, heat + 0.001 * sum);
		absorbed[angle] = exp(-sum);
	}
}

static void switch_lamp_on(int sweep)
{
	for (int angle = 0; angle < ANGLES; angle++)
		light[angle] = 1 + (sweep + angle) % 7 * 0.01;
}

static void receive_light(int from)
{
	MPI_Recv(light, ANGLES, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void pass_light(int to)
{
	for (int angle = 0; angle < ANGLES; angle++)
		light[angle] *= absorbed[angle];
	MPI_Ssend(light, ANGLES, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
}

/* Rank 0 has the lamp, and gets what is left from the last rank. */
static void sweep(int number, double heat, bool absorption_first)
{
	int before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;

	if (absorption_first)
		find_absorption(heat);
	if (rank == 0)
		switch_lamp_on(number);
	else
		receive_light(before);
	if (!absorption_first)
		find_absorption(heat);
	pass_light(after);
	if (rank == 0)
		receive_light(before);
}

static double share_heat(void)
{
	double heat = 0;

	for (int angle = 0; rank == 0 && angle < ANGLES; angle++)
		heat += light[angle] / ANGLES;
	MPI_Bcast(&heat, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	return heat;
}

static void *watch_limit(void *unused)
{
	struct timespec pause = {.tv_nsec = 100000000};

	while (!nanosleep(&pause, NULL))
		atomic_fetch_add(&alarms, 1);
	return unused;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	double heat = 1;
	pthread_t watcher;

	MPI_Init(&count, &arguments);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	pthread_create(&watcher, NULL, watch_limit, NULL);
	fill_slice();
	for (int number = 0; number < SWEEPS; number++) {
		sweep(number, heat, fixed);
		heat = share_heat();
	}
	if (rank == 0)
		printf("%.12g\n", heat);
	MPI_Finalize();
	return 0;
}
