/* SPDX-License-Identifier: MIT */
/* Particles in two halves of a detector, one half for each rank. A particle that reaches the border
 * goes to the other rank, which follows it from there; there are few of them. After each step of
 * each particle the rank looks whether one has come from the other side: nearly always in vain. (The
 * fixed program looks after each FEW particles.) Innocent: what the detector counted is summed up
 * at the end, and every sixteenth bunch the ranks agree on the field.
 *
 * cause: each rank looks for messages after every step of every particle
 * finding: mpi-polling
 * place: MPI_Iprobe|look_for_particles
 * launch: mpirun.openmpi -n 2
 * build: mpi
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BUNCHES = 900, PARTICLES = 200, STEPS = 24, FEW = 50, CELLS = 24 };
enum { TAG_PARTICLE = 1 };

static int rank;
static uint64_t counted;
static uint64_t field = 3;
static int came;

/* The state of a particle after a step through CELLS cells of the field. */
static uint64_t step(uint64_t state)
{
	for (int cell = 0; cell < CELLS; cell++)
		state = (state ^ (uint64_t)cell) * 6364136223846793005u + field;
	return state;
}

static void follow(uint64_t state)
{
	for (int i = 0; i < STEPS; i++)
		state = step(state);
	counted += state >> 40;
}

static void receive_particle(void)
{
	uint64_t state;

	MPI_Recv(&state, 1, MPI_UINT64_T, 1 - rank, TAG_PARTICLE, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	follow(state);
	came++;
}

/* What came from the other side meanwhile. */
static void look_for_particles(void)
{
	int is_there;

	for (;;) {
		MPI_Iprobe(1 - rank, TAG_PARTICLE, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
		if (!is_there)
			return;
		receive_particle();
	}
}

static void trace_particle(uint64_t state, bool looks)
{
	for (int i = 0; i < STEPS; i++) {
		state = step(state);
		if (looks)
			look_for_particles();
	}
	counted += state >> 40;
}

/* One particle of each bunch goes to the other side. Who is faster may have sent the next one. */
static void trace_bunch(int bunch, bool fixed)
{
	uint64_t crossing = (uint64_t)bunch * 2 + (uint64_t)rank;

	MPI_Send(&crossing, 1, MPI_UINT64_T, 1 - rank, TAG_PARTICLE, MPI_COMM_WORLD);
	for (int i = 0; i < PARTICLES; i++) {
		trace_particle((uint64_t)(bunch * PARTICLES + i) * 2 + (uint64_t)rank, !fixed);
		if (fixed && i % FEW == 0)
			look_for_particles();
	}
	while (came <= bunch)
		receive_particle();
}

static void agree_on_field(void)
{
	uint64_t all;

	MPI_Allreduce(&counted, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
	field = all | 1;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	uint64_t all;

	MPI_Init(&count, &arguments);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int bunch = 0; bunch < BUNCHES; bunch++) {
		trace_bunch(bunch, fixed);
		if (bunch % 16 == 15)
			agree_on_field();
	}
	MPI_Reduce(&counted, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%llx\n", (unsigned long long)all);
	MPI_Finalize();
	return 0;
}
