/* SPDX-License-Identifier: MIT */
/* The example of docs/report.md for OpenMP: forces between all pairs of bodies. The loop over i has
 * fewer pairs the larger i is, so that of equal shares of i the first is the most work; and all
 * threads add up the energy in one critical section.
 *
 *     gcc -g -O2 -fopenmp -o triangle triangle.c -lm && ptrace-run ./triangle 4000
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct body {
	double x, y, z, force;
};

static double energy;

static void place(struct body *bodies, int count)
{
	for (int i = 0; i < count; i++)
		bodies[i] = (struct body){drand48(), drand48(), drand48(), 0};
}

static double pull(struct body *a, const struct body *b)
{
	double x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
	double square = x * x + y * y + z * z + 1e-9;

	a->force += 1 / square;
	return 1 / sqrt(square);
}

static void all_pairs(struct body *bodies, int count)
{
#pragma omp parallel for
	for (int i = 0; i < count; i++)
		for (int j = i + 1; j < count; j++) {
			double part = pull(&bodies[i], &bodies[j]);
			if (j % 64 == 0) {
#pragma omp critical(total)
				energy += part;
			}
		}
}

int main(int count, char **words)
{
	int bodies = count > 1 ? atoi(words[1]) : 4000;
	struct body *all = calloc(bodies, sizeof *all);

	place(all, bodies);
	for (int step = 0; step < 20; step++)
		all_pairs(all, bodies);
	printf("%g\n", energy);
	return 0;
}
