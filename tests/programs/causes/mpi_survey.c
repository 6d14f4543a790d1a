/* SPDX-License-Identifier: MIT */
/* A survey of the sky by a telescope that looks north in one exposure and south in the next. Each
 * rank has half of the sky, so that the stars of an exposure are nearly all of one rank: over the
 * night both have the same work, in each exposure one of them waits. Innocent: the brightness of
 * all is agreed on after each exposure, a calibration is broadcast at the start, and a thread of
 * each rank looks after the dome every 50 ms.
 *
 * cause: in each exposure one of the ranks, in turns, has most of the stars
 * finding: late-rank
 * place: MPI_Allreduce|agree_on_brightness
 * launch: mpirun.openmpi -n 2
 * build: mpi
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

enum { STARS = 4000, EXPOSURES = 600, FIELD = 24, RARE = 8 };

struct star {
	bool north;
	uint32_t seed;
};

static struct star stars[STARS];
static int rank, ranks;
static uint32_t gain[FIELD];
static atomic_int looks;

static void read_catalogue(void)
{
	uint32_t state = 42;

	for (int i = 0; i < STARS; i++) {
		state = state * 1664525u + 1013904223u;
		stars[i] = (struct star){i < STARS / 2, state};
	}
}

static void calibrate(void)
{
	for (int i = 0; rank == 0 && i < FIELD; i++)
		gain[i] = 900 + (uint32_t)i * 37 % 200;
	MPI_Bcast(gain, FIELD, MPI_UINT32_T, 0, MPI_COMM_WORLD);
}

/* Counts in a field of pixels around the star what is brighter than the sky. */
static uint64_t measure_star(const struct star *star, int exposure)
{
	uint32_t state = star->seed + (uint32_t)exposure;
	uint64_t sum = 0;

	for (int y = 0; y < FIELD; y++)
		for (int x = 0; x < FIELD; x++) {
			state = state * 1664525u + 1013904223u;
			uint32_t light = (state >> 16) * gain[x] >> 10;
			sum += light > 8000 ? light : 0;
		}
	return sum;
}

/* What looks the other way is seen at the edge of the field only: one of RARE. */
static bool is_seen(int star, int exposure)
{
	bool looks_north = exposure % 2 == 0;

	return stars[star].north == looks_north || star % RARE == 0;
}

static bool is_mine(int star, bool mixed)
{
	return mixed ? star / RARE % ranks == rank : star * ranks / STARS == rank;
}

static uint64_t measure_exposure(int exposure, bool mixed)
{
	uint64_t sum = 0;

	for (int star = 0; star < STARS; star++)
		if (is_mine(star, mixed) && is_seen(star, exposure))
			sum += measure_star(&stars[star], exposure);
	return sum;
}

static uint64_t agree_on_brightness(uint64_t mine)
{
	uint64_t all;

	MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

static uint64_t survey(bool mixed)
{
	uint64_t brightness = 0;

	for (int exposure = 0; exposure < EXPOSURES; exposure++) {
		uint64_t mine = measure_exposure(exposure, mixed);
		brightness = brightness * 3 + agree_on_brightness(mine);
		gain[exposure % FIELD] = 900 + (uint32_t)(brightness % 200);
	}
	return brightness;
}

static void *look_after_dome(void *unused)
{
	struct timespec pause = {.tv_nsec = 50000000};

	while (!nanosleep(&pause, NULL))
		atomic_fetch_add(&looks, 1);
	return unused;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	pthread_t dome;

	MPI_Init(&count, &arguments);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	pthread_create(&dome, NULL, look_after_dome, NULL);
	read_catalogue();
	calibrate();
	uint64_t brightness = survey(fixed);
	if (rank == 0)
		printf("%llx\n", (unsigned long long)brightness);
	MPI_Finalize();
	return 0;
}
