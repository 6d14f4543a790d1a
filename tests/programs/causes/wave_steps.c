/* SPDX-License-Identifier: MIT */
/* A wave in a channel, in two threads with a barrier after each step. The wave runs from one half
 * into the other and back: in each step one thread has three quarters of the work, next time the
 * other one, and all in all both have the same. The cause is that the one waits for the other in
 * each step; fixed, both share each step evenly. Innocent: the lock of the gauge, and a thread that
 * reads it.
 *
 * cause: steps are uneven, the late thread alternates, the other one waits at the barrier
 * finding: barrier-wait
 * place: step_done|advance_wave|barrier
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 2, STEPS = 160, CELLS = 8000, ITERATIONS = 450 };

static double heights[2][CELLS];
static pthread_barrier_t step_done;
static int shares_evenly;
static atomic_int is_finished;

static struct {
	pthread_mutex_t lock;
	double highest;
	long readings;
} gauge = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The nearer a cell is to its solution, the less changes; the number of iterations is the same for
 * all. */
static double relax_cell(double height, double left, double right)
{
	double value = height;

	for (int i = 0; i < ITERATIONS; i++)
		value = 0.5 * value + 0.25 * (left + right) + 1e-9 * value * value;
	return value;
}

static void relax_cells(int step, int first, int last)
{
	const double *old = heights[step & 1];
	double *new = heights[~step & 1];

	for (int i = first; i < last; i++)
		new[i] = relax_cell(old[i], old[i ? i - 1 : 0], old[i < CELLS - 1 ? i + 1 : i]);
}

static void read_gauge(int step)
{
	pthread_mutex_lock(&gauge.lock);
	if (heights[~step & 1][CELLS / 3] > gauge.highest)
		gauge.highest = heights[~step & 1][CELLS / 3];
	pthread_mutex_unlock(&gauge.lock);
}

/* Where the one thread's cells end and the other one's begin. */
static int border_of(int step)
{
	if (shares_evenly)
		return CELLS / 2;
	return step / 2 % 2 ? CELLS / 4 : CELLS / 4 * 3;
}

static void *advance_wave(void *number)
{
	for (int step = 0; step < STEPS; step++) {
		int border = border_of(step);

		if (*(int *)number)
			relax_cells(step, border, CELLS);
		else
			relax_cells(step, 0, border);
		pthread_barrier_wait(&step_done);
		if (!*(int *)number && step % 10 == 0)
			read_gauge(step);
	}
	return NULL;
}

static void *watch_gauge(void *unused)
{
	while (!is_finished) {
		usleep(35000);
		pthread_mutex_lock(&gauge.lock);
		gauge.readings++;
		pthread_mutex_unlock(&gauge.lock);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS], watcher;
	int numbers[THREADS];
	double sum = 0;

	(void)argv;
	shares_evenly = argc > 1;
	for (int i = 0; i < CELLS; i++)
		heights[0][i] = i % 100 / 100.0 + (i < 500 ? 3 : 0);
	pthread_barrier_init(&step_done, NULL, THREADS);
	pthread_create(&watcher, NULL, watch_gauge, NULL);
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, advance_wave, &numbers[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	is_finished = 1;
	pthread_join(watcher, NULL);
	for (int i = 0; i < CELLS; i++)
		sum += heights[0][i];
	printf("%d steps, water %.9f, highest %.6f\n", STEPS, sum, gauge.highest);
	return 0;
}
