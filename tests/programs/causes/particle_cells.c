/* SPDX-License-Identifier: MIT */
/* Particles in cells: twelve threads move the particles of a twelfth each, with a barrier after
 * each of many short steps, on a machine with two processors. The cause is that there are so many
 * of them: they take turns, and each step waits for twelve of these. Fixed, two threads move a half
 * each. Innocent: the lock of the energy, a thread that writes restart files (of nothing yet).
 *
 * cause: twelve threads that compute share two processors and hand over at barriers
 * finding: oversubscription barrier-wait
 * place: step_done|move_particles|12 |more threads than processors
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_THREADS = 12, FEW_THREADS = 2, STEPS = 24000, PARTICLES = 4800, CELLS = 64 };

struct particle {
	float position, speed;
};

static struct particle particles[PARTICLES];
static float forces[CELLS];
static pthread_barrier_t step_done;
static int threads_wanted;
static atomic_int is_finished;

static struct {
	pthread_mutex_t lock;
	double sum;
	long restarts;
} energy = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void move_share(struct particle *first, const struct particle *end)
{
	for (struct particle *p = first; p < end; p++) {
		p->speed += 0.001f * forces[(int)p->position & (CELLS - 1)];
		p->position += 0.01f * p->speed;
		if (p->position < 0 || p->position >= CELLS)
			p->speed = -p->speed;
		p->position = fminf(fmaxf(p->position, 0), CELLS - 0.001f);
	}
}

static void add_energy(const struct particle *first, const struct particle *end)
{
	double sum = 0;

	for (const struct particle *p = first; p < end; p++)
		sum += floor(1000 * fabs(p->speed));
	pthread_mutex_lock(&energy.lock);
	energy.sum += sum;
	pthread_mutex_unlock(&energy.lock);
}

static void *move_particles(void *number)
{
	int share = PARTICLES / threads_wanted;
	struct particle *first = particles + *(int *)number * share;

	for (int step = 0; step < STEPS; step++) {
		move_share(first, first + share);
		if (step % 500 == 0)
			add_energy(first, first + share);
		pthread_barrier_wait(&step_done);
	}
	return NULL;
}

static void *write_restarts(void *unused)
{
	while (!is_finished) {
		usleep(60000);
		pthread_mutex_lock(&energy.lock);
		energy.restarts++;
		pthread_mutex_unlock(&energy.lock);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[MOST_THREADS], writer;
	int numbers[MOST_THREADS];

	(void)argv;
	threads_wanted = argc > 1 ? FEW_THREADS : MOST_THREADS;
	for (int i = 0; i < CELLS; i++)
		forces[i] = sinf((float)i);
	for (int i = 0; i < PARTICLES; i++)
		particles[i] = (struct particle){(float)(i % CELLS), (float)(i % 17) - 8};
	pthread_barrier_init(&step_done, NULL, (unsigned)threads_wanted);
	pthread_create(&writer, NULL, write_restarts, NULL);
	for (int i = 0; i < threads_wanted; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, move_particles, &numbers[i]);
	}
	for (int i = 0; i < threads_wanted; i++)
		pthread_join(threads[i], NULL);
	is_finished = 1;
	pthread_join(writer, NULL);
	printf("%d steps, energy %.0f\n", STEPS, energy.sum);
	return 0;
}
