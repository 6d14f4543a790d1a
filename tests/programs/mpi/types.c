/* SPDX-License-Identifier: MIT */
/* Derived types: the bytes are those of the data (true size), not of the span that they lie in. */
#include "mpi_truth.h"

#include <stddef.h>

struct particle {
	char kind;
	double position[3];
	int id;
};
enum { PARTICLE = 1 + 24 + 4, MOST = 20 };

static MPI_Datatype vector_type(void)
{
	MPI_Datatype type;

	CALL(Type_vector, 0, 0, 5, 2, 4, MPI_INT, &type); /* 10 ints in 18 */
	CALL(Type_commit, 0, 0, &type);
	return type;
}

static MPI_Datatype particle_type(void)
{
	MPI_Datatype type, resized;
	MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
	MPI_Aint offsets[] = {offsetof(struct particle, kind), offsetof(struct particle, position),
			      offsetof(struct particle, id)};
	int lengths[] = {1, 3, 1};

	CALL(Type_create_struct, 0, 0, 3, lengths, offsets, types, &type);
	CALL(Type_create_resized, 0, 0, type, 0, sizeof(struct particle), &resized);
	CALL(Type_commit, 0, 0, &resized);
	CALL(Type_free, 0, 0, &type);
	return resized;
}

/* One call of each kind from 0 to 1, `count` elements of `bytes` each. */
static void transfer(void *data, int count, MPI_Datatype type, int bytes)
{
	MPI_Request request;
	int length = count * bytes;

	if (rank == 0) {
		CALL(Send, length, 0, data, count, type, 1, 1, MPI_COMM_WORLD);
		CALL(Isend, length, 0, data, count, type, 1, 2, MPI_COMM_WORLD, &request);
		sent_to(1, length);
		sent_to(1, length);
	} else if (rank == 1) {
		MPI_Status status;
		int elements;
		/* room for more than arrives: what arrives is counted */
		CALL(Recv, 0, length, data, MOST, type, 0, 1, MPI_COMM_WORLD, &status);
		CALL(Get_count, 0, 0, &status, type, &elements);
		check(elements == count, "the count of a derived type");
		CALL(Irecv, 0, length, data, MOST, type, 0, 2, MPI_COMM_WORLD, &request);
		got_from(0, length);
		got_from(0, length);
	}
	if (rank < 2)
		CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	CALL(Bcast, rank == 0 ? length : 0, rank == 0 ? 0 : length, data, count, type, 0,
	     MPI_COMM_WORLD);
}

int main(void)
{
	static struct particle particles[MOST];
	static int numbers[18 * MOST];

	begin();
	MPI_Datatype vector = vector_type(), particle = particle_type();
	for (int i = 0; i < MOST && rank == 0; i++)
		particles[i].id = i + 1;
	transfer(numbers, 3, vector, 40);
	transfer(particles, 7, particle, PARTICLE);
	check(particles[6].id == 7, "the data of a derived type");
	CALL(Type_free, 0, 0, &vector);
	CALL(Type_free, 0, 0, &particle);
	/* A handle may come back for a type of another size. */
	for (int i = 1; i <= 3; i++) {
		MPI_Datatype again;
		CALL(Type_contiguous, 0, 0, i, MPI_INT, &again);
		CALL(Type_commit, 0, 0, &again);
		transfer(numbers, 2, again, 4 * i);
		CALL(Type_free, 0, 0, &again);
	}
	return end();
}
