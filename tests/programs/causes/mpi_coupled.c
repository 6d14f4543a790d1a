/* SPDX-License-Identifier: MIT */
/* A coupled model: rank 0 computes the air, rank 1 the sea, in steps. The sea needs the fluxes of
 * the air at the surface, which are the first that rank 0 knows; but it sends them at the end of
 * its step, after the upper air. Innocent: both ranks have as much work, the length of a step is
 * agreed on at its end (whoever is late there was late for the fluxes), and the sea has a thread
 * that waits for requests of output.
 *
 * cause: rank 0 sends the fluxes after all of its work, and rank 1 waits for them
 * finding: late-sender
 * place: step_sea|receive_fluxes|step_air|send_fluxes
 * launch: mpirun.openmpi -n 2
 * build: mpi
 */
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CELLS = 8192,
	FLUXES = 256,
	LEVELS = 40,
	SURFACE = 4,
	DEEP = 12,
	STEPS = 650,
	AIR = 0,
	SEA = 1
};

struct output {
	pthread_mutex_t mutex;
	pthread_cond_t wanted;
	bool closed;
	int requests, written;
};

static double column[LEVELS][CELLS], fluxes[FLUXES];
static struct output output = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0, 0};

static void start_columns(int rank)
{
	for (int level = 0; level < LEVELS; level++)
		for (int cell = 0; cell < CELLS; cell++)
			column[level][cell] = 1 + (level * 31 + cell * 7 + rank) % 97 / 97.0;
}

static double mix(double value, double from, double rate)
{
	return sqrt(value * value + rate * from) * (1 - rate) + from * rate;
}

static void mix_levels(int first, int end, double rate)
{
	for (int level = first; level < end; level++) {
		const double *from = column[(level + 1) % LEVELS];
		for (int cell = 0; cell < CELLS; cell++)
			column[level][cell] = mix(column[level][cell], from[cell], rate);
	}
}

/* Of the surface, which is coarse: a message is small enough to go off at once. */
static void compute_fluxes(void)
{
	mix_levels(0, SURFACE, 0.011);
	memset(fluxes, 0, sizeof fluxes);
	for (int cell = 0; cell < CELLS; cell++)
		fluxes[cell * FLUXES / CELLS] += column[0][cell] - 0.5 * column[1][cell];
}

static void send_fluxes(void)
{
	MPI_Send(fluxes, FLUXES, MPI_DOUBLE, SEA, 1, MPI_COMM_WORLD);
}

static void step_air(double length, bool early)
{
	compute_fluxes();
	if (early)
		send_fluxes();
	mix_levels(SURFACE, LEVELS, 0.01 * length);
	if (!early)
		send_fluxes();
}

static void receive_fluxes(void)
{
	MPI_Recv(fluxes, FLUXES, MPI_DOUBLE, AIR, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int cell = 0; cell < CELLS; cell++)
		column[LEVELS - 1][cell] += 0.0003 * fluxes[cell * FLUXES / CELLS];
}

/* What lies deep does not feel the air within a step. */
static void step_sea(double length)
{
	mix_levels(0, DEEP, 0.008 * length);
	receive_fluxes();
	mix_levels(DEEP, LEVELS, 0.009 * length);
}

static double agree_on_length(void)
{
	double steepest = column[LEVELS / 2][CELLS / 3], all;

	MPI_Allreduce(&steepest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return 1 / (1 + 0.001 * all);
}

static void run_model(int rank, bool early)
{
	double length = 1;

	for (int step = 0; step < STEPS; step++) {
		if (rank == AIR)
			step_air(length, early);
		else
			step_sea(length);
		length = agree_on_length();
	}
}

static void *write_output(void *unused)
{
	pthread_mutex_lock(&output.mutex);
	while (!output.closed) {
		output.written += output.requests;
		output.requests = 0;
		pthread_cond_wait(&output.wanted, &output.mutex);
	}
	pthread_mutex_unlock(&output.mutex);
	return unused;
}

static void close_output(void)
{
	pthread_mutex_lock(&output.mutex);
	output.closed = true;
	pthread_cond_signal(&output.wanted);
	pthread_mutex_unlock(&output.mutex);
}

static double sum_columns(void)
{
	double sum = 0, all = 0;

	for (int level = 0; level < LEVELS; level++)
		for (int cell = 0; cell < CELLS; cell++)
			sum += column[level][cell];
	MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	return all;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	pthread_t writer;
	int rank;

	MPI_Init(&count, &arguments);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	pthread_create(&writer, NULL, write_output, NULL);
	start_columns(rank);
	run_model(rank, fixed);
	close_output();
	pthread_join(writer, NULL);
	double sum = sum_columns();
	if (rank == 0)
		printf("%.9g\n", sum);
	MPI_Finalize();
	return 0;
}
