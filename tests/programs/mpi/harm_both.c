/* SPDX-License-Identifier: MIT */
/* A program without MPI that loads two libraries, invisible to each other, as Python does with its
 * packages: one that was linked with a stand-in (harm_serial.c), and one with an MPI. Arguments:
 * the two, in the order in which their work is to be done; repeated.
 *
 *   -DPLUGIN   the one with an MPI: real_work() */
#if defined PLUGIN

#include "mpi_truth.h"

int real_work(void);
int real_end(void);

int real_work(void)
{
	int sum = 0, is_initialized = 0;

	MPI_Initialized(&is_initialized);
	if (!is_initialized)
		begin();
	CALL(Allreduce, 4, 4, &size, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	check(sum == size * size, "a sum over all ranks");
	return !mistakes;
}

int real_end(void)
{
	account("MPI_Initialized", 2, 0, 0, 0);
	return end();
}

#else

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void *plugin(const char *path)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		fprintf(stderr, "%s\n", dlerror());
	return handle;
}

int main(int count, char **paths)
{
	int is_right = 1;
	void *real = NULL;

	for (int round = 0; round < 2; round++)
		for (int i = 1; i < count; i++) {
			void *handle = plugin(paths[i]);
			if (!handle)
				return 2;
			int (*serial)(void) = (int (*)(void))dlsym(handle, "serial_work");
			int (*work)(void) = (int (*)(void))dlsym(handle, "real_work");
			real = work ? handle : real;
			is_right &= serial ? serial() : work();
		}
	int (*end)(void) = (int (*)(void))dlsym(real, "real_end");
	return end() || !is_right;
}

#endif
