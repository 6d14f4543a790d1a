/* SPDX-License-Identifier: MIT */
/* A heat equation on a plate: two threads compute steps, three others pack every step's field for
 * output. The cause is that those wait for the next step in a loop around sched_yield, and take
 * most of the processors by that; fixed, they wait for a condition. Innocent: the barrier of two
 * even halves, the lock of the archive, a thread that looks for divergence.
 *
 * cause: the packers wait for the next step in a loop around sched_yield
 * finding: spin-wait
 * place: sched_yield|await_step|pack_steps
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SOLVERS = 2, PACKERS = 3, STEPS = 500, ROWS = 1024, COLUMNS = 512, SWEEPS = 8 };

static double fields[2][ROWS][COLUMNS];
static pthread_barrier_t halves;
static atomic_int steps_done, is_finished;
static int packers_block;

static struct {
	pthread_mutex_t lock;
	pthread_cond_t has_step;
} output = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};

static struct {
	pthread_mutex_t lock;
	uint64_t bytes, checks;
} archive = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void relax_rows(int from, int first, int last)
{
	double(*old)[COLUMNS] = fields[from], (*new)[COLUMNS] = fields[!from];

	for (int i = first; i < last; i++)
		for (int k = 1; k < COLUMNS - 1; k++)
			new[i][k] = 0.25 *
				    (old[i - 1][k] + old[i + 1][k] + old[i][k - 1] + old[i][k + 1]);
}

static void publish_step(void)
{
	pthread_mutex_lock(&output.lock);
	steps_done++;
	pthread_cond_broadcast(&output.has_step);
	pthread_mutex_unlock(&output.lock);
}

static void *solve_half(void *half)
{
	int first = *(int *)half ? ROWS / 2 : 1, last = *(int *)half ? ROWS - 1 : ROWS / 2;

	for (int step = 0; step < STEPS; step++) {
		for (int sweep = 0; sweep < SWEEPS; sweep++) {
			relax_rows(sweep & 1, first, last);
			pthread_barrier_wait(&halves);
		}
		if (!*(int *)half)
			publish_step();
	}
	return NULL;
}

static void await_step(int step)
{
	if (packers_block) {
		pthread_mutex_lock(&output.lock);
		while (steps_done <= step)
			pthread_cond_wait(&output.has_step, &output.lock);
		pthread_mutex_unlock(&output.lock);
		return;
	}
	while (steps_done <= step)
		sched_yield();
}

/* Sizes of the packed rows; the picture itself is a step old, and a copy. */
static void *pack_steps(void *unused)
{
	for (int step = 0; step < STEPS; step++) {
		uint64_t bytes = 0;

		await_step(step);
		for (int i = 0; i < 4000; i++)
			bytes += (uint64_t)(i * step) % 7;
		pthread_mutex_lock(&archive.lock);
		archive.bytes += bytes;
		pthread_mutex_unlock(&archive.lock);
	}
	return unused;
}

static void *watch_divergence(void *unused)
{
	while (!is_finished) {
		usleep(30000);
		pthread_mutex_lock(&archive.lock);
		archive.checks++;
		pthread_mutex_unlock(&archive.lock);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t solvers[SOLVERS], packers[PACKERS], watcher;
	int numbers[SOLVERS];
	double heat = 0;

	(void)argv;
	packers_block = argc > 1;
	pthread_barrier_init(&halves, NULL, SOLVERS);
	for (int k = 0; k < COLUMNS; k++)
		fields[0][0][k] = fields[1][0][k] = 100;
	pthread_create(&watcher, NULL, watch_divergence, NULL);
	for (int i = 0; i < PACKERS; i++)
		pthread_create(&packers[i], NULL, pack_steps, NULL);
	for (int i = 0; i < SOLVERS; i++) {
		numbers[i] = i;
		pthread_create(&solvers[i], NULL, solve_half, &numbers[i]);
	}
	for (int i = 0; i < SOLVERS; i++)
		pthread_join(solvers[i], NULL);
	for (int i = 0; i < PACKERS; i++)
		pthread_join(packers[i], NULL);
	is_finished = 1;
	pthread_join(watcher, NULL);
	for (int i = 0; i < ROWS; i++)
		for (int k = 0; k < COLUMNS; k++)
			heat += fields[0][i][k];
	printf("%d steps, heat %.6f, %lu bytes\n", steps_done, heat, (unsigned long)archive.bytes);
	return 0;
}
