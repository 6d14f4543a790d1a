/* SPDX-License-Identifier: MIT */
/* Programs without ranks that were written for MPI bring a stand-in for it, which has as many of
 * its functions as they need, for C and Fortran, and no PMPI_ names (libmpiseq of MUMPS is one).
 *
 *   -DLIBRARY   the stand-in itself: one rank, and a sum of what is called
 *   -DUSER      what is linked with it: serial_work(), true if every call did its work
 *   neither     a program of ours, linked with both
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int serial_work(void);
int serial_calls(void);

int MPI_Init(int *count, char ***arguments);
int MPI_Initialized(int *flag);
int MPI_Comm_rank(int comm, int *rank);
int MPI_Comm_size(int comm, int *size);
int MPI_Allreduce(const void *from, void *to, int count, int bytes, int operation, int comm);
int MPI_Barrier(int comm);
int MPI_Pcontrol(const int level, ...);
int MPI_Finalize(void);
void mpi_comm_get_attr_(const int *comm, const int *key, long *value, int *flag, int *error);

#if defined LIBRARY

static int calls;

int serial_calls(void)
{
	return calls;
}

static int done(void)
{
	calls++;
	return 0;
}

int MPI_Init(int *count, char ***arguments)
{
	(void)count;
	(void)arguments;
	return done();
}

int MPI_Initialized(int *flag)
{
	*flag = 1;
	return done();
}

int MPI_Comm_rank(int comm, int *rank)
{
	*rank = comm - comm;
	return done();
}

int MPI_Comm_size(int comm, int *size)
{
	*size = comm - comm + 1;
	return done();
}

int MPI_Allreduce(const void *from, void *to, int count, int bytes, int operation, int comm)
{
	(void)operation;
	(void)comm;
	memcpy(to, from, (size_t)count * (size_t)bytes);
	return done();
}

int MPI_Barrier(int comm)
{
	(void)comm;
	return done();
}

int MPI_Pcontrol(const int level, ...)
{
	(void)level;
	return done();
}

int MPI_Finalize(void)
{
	return done();
}

void mpi_comm_get_attr_(const int *comm, const int *key, long *value, int *flag, int *error)
{
	*value = *comm + *key;
	*flag = 1;
	*error = done();
}

#elif defined USER

static bool works(const char *what, bool is_right)
{
	if (!is_right)
		fprintf(stderr, "wrong: %s of the stand-in\n", what);
	return is_right;
}

int serial_work(void)
{
	int rank = -1, size = -1, flag = 0, error = -1, comm = 40, key = 2, before = serial_calls();
	double from = 3, to = 0;
	long value = 0;
	bool is_right = works("MPI_Init", !MPI_Init(NULL, NULL));

	is_right &= works("MPI_Initialized", !MPI_Initialized(&flag) && flag);
	is_right &= works("MPI_Comm_rank", !MPI_Comm_rank(0, &rank) && rank == 0);
	is_right &= works("MPI_Comm_size", !MPI_Comm_size(0, &size) && size == 1);
	for (int i = 0; i < 3; i++)
		is_right &= works("MPI_Allreduce", !MPI_Allreduce(&from, &to, 1, sizeof to, 0, 0));
	is_right &= works("MPI_Allreduce", to == 3);
	is_right &= works("MPI_Barrier", !MPI_Barrier(0));
	is_right &= works("MPI_Pcontrol", !MPI_Pcontrol(1));
	mpi_comm_get_attr_(&comm, &key, &value, &flag, &error);
	is_right &= works("mpi_comm_get_attr_", value == 42 && flag == 1 && error == 0);
	is_right &= works("MPI_Finalize", !MPI_Finalize());
	return works("the number of calls", serial_calls() - before == 11) && is_right;
}

#else

int main(void)
{
	int is_right = serial_work();

	printf("%d calls\n", serial_calls());
	return is_right ? 0 : 1;
}

#endif
